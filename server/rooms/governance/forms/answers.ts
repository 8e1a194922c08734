import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { FieldViolation } from '#kernel/refusals.ts'
import type { FormTerms } from './form.ts'
import { matchedMax, matchesPattern } from './patterns.ts'
import type { Field, FieldRelationship, ListRules, NumberRules, TextRules } from './shapes.ts'

export type Answers = { readonly [name: string]: unknown }
export type CheckedAnswers = {
  /** The answers, with the form's defaults for questions that were not answered. */
  answers: Answers
  /** The names of required fields without an answer: a separate step asks for them. */
  missing: string[]
  /** What is wrong with the answers. */
  problems: FieldViolation[]
}

/** Checks the answers to a form by its rules. Required fields without an answer are not problems: see `missing`. */
export function checkAnswers(
  form: Pick<FormTerms, 'fields' | 'fieldRelationships'>,
  data: Answers,
  now: Date,
): CheckedAnswers {
  const problems: FieldViolation[] = []
  const answers = Object.create(null) as Record<string, unknown>
  const byName = new Map(form.fields.map((field) => [field.name, field]))
  for (const name of Object.keys(data))
    if (!byName.has(name)) problems.push({ field: name, description: 'is not a field of the form' })
  for (const field of form.fields) {
    const given = Object.hasOwn(data, field.name) ? data[field.name] : undefined
    const standard = defaultOf(field, now)
    if (field.readOnly && !isNothing(given) && JSON.stringify(given) !== JSON.stringify(standard))
      problems.push({ field: field.name, description: 'cannot be answered: the form sets its value' })
    const value = field.readOnly || isNothing(given) ? standard : given
    if (isNothing(value)) continue
    const read = readAnswer(field, value)
    if (read === undefined) problems.push({ field: field.name, description: `must be ${kindOf(field)}` })
    else {
      answers[field.name] = read
      const wrong = ruleBroken(field, read, now)
      if (wrong !== null) problems.push({ field: field.name, description: wrong })
    }
  }
  const has = (name: string): boolean => Object.hasOwn(answers, name)
  for (const relation of form.fieldRelationships) {
    const broken = relationBroken(relation, has)
    if (broken !== null) problems.push({ field: relation.fieldNames.join(', '), description: broken })
  }
  const missing = form.fields
    .filter(({ required, name, stringMapField }) => (required || stringMapField?.rules?.isRequired) && !has(name))
    .map(({ name }) => name)
  return { answers: { ...answers }, missing, problems }
}

/** An empty answer counts as missing: a form that is sent with empty fields was not answered. False and 0 are answers. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0)

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

function defaultOf(field: Field, now: Date): unknown {
  const { stringField, boolField, int64Field, stringSliceField, stringMapField } = field
  if (stringField) return stringField.dateField?.defaultToToday ? dayOf(now) : stringField.defaultValue
  // An unchecked box means no. A rule can require it to be checked.
  if (boolField) return boolField.defaultValue
  if (int64Field) return int64Field.defaultValue
  if (stringSliceField) return stringSliceField.defaultValues
  return stringMapField?.defaultValue
}

function kindOf({ stringField, boolField, int64Field, stringSliceField }: Field): string {
  if (stringField) return 'a text'
  if (boolField) return 'true or false'
  if (int64Field) return 'an integer'
  return stringSliceField ? 'a list of strings' : 'an object of strings'
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 10_000

function readAnswer({ stringField, boolField, int64Field, stringSliceField }: Field, value: unknown): unknown {
  if (stringField) return isText(value) ? value : undefined
  if (boolField) return typeof value === 'boolean' ? value : undefined
  if (int64Field) {
    const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
    return Number.isSafeInteger(number) ? number : undefined
  }
  if (stringSliceField) return Array.isArray(value) && value.length <= 1000 && value.every(isText) ? value : undefined
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isMap && Object.values(value).every(isText) ? value : undefined
}

function ruleBroken(field: Field, value: unknown, now: Date): string | null {
  const { stringField, boolField, int64Field, stringSliceField } = field
  if (stringField)
    return textBroken(stringField.rules, value as string) ?? choiceBroken(stringField, value as string, now)
  if (boolField) {
    const wanted = boolField.rules?.const ?? null
    return wanted === null || wanted === value ? null : `must be ${wanted}`
  }
  if (int64Field) {
    const { minValue = null, maxValue = null } = int64Field.numberField ?? {}
    const number = value as number
    if (minValue !== null && number < minValue) return `must be at least ${minValue}`
    if (maxValue !== null && number > maxValue) return `must be at most ${maxValue}`
    return numberBroken(int64Field.rules, number)
  }
  return stringSliceField ? listBroken(stringSliceField.rules, value as string[]) : null
}

const listedMax = 50

function optionsListed(options: readonly { value: string }[]): string {
  const listed = options.slice(0, listedMax).map(({ value }) => value)
  const more = options.length - listed.length
  return more > 0 ? `${listed.join(', ')} and ${more} more` : listed.join(', ')
}

function choiceBroken(
  { selectField, dateField }: NonNullable<Field['stringField']>,
  value: string,
  now: Date,
): string | null {
  if (selectField && !selectField.options.some((option) => option.value === value))
    return `must be one of the options: ${optionsListed(selectField.options)}`
  if (!dateField) return null
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || Number.isNaN(Date.parse(value)) || dayOf(new Date(value)) !== value)
    return 'must be a date, as in 2026-01-31'
  const inDays = (days: number): string => dayOf(new Date(now.getTime() + days * 86_400_000))
  const { minDate, maxDate, minDaysFromToday: minDays, maxDaysFromToday: maxDays } = dateField
  const least = [minDate, minDays === null ? '' : inDays(minDays)]
    .filter((day) => day !== '')
    .toSorted()
    .at(-1)
  const most = [maxDate, maxDays === null ? '' : inDays(maxDays)].filter((day) => day !== '').toSorted()[0]
  if (least !== undefined && value < least) return `must not be before ${least}`
  return most !== undefined && value > most ? `must not be after ${most}` : null
}

const hostname = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*\.?$/i
const email = /^[^\s@<>]{1,64}@[^\s@<>]{1,253}$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const headerName = /^:?[0-9a-zA-Z!#$%&'*+\-.^_|~`]+$/
const headerValue = /^[\t\P{Cc}\u0080-\u009F]*$/u

const forms: readonly [rule: keyof TextRules, name: string, is: (value: string) => boolean][] = [
  ['email', 'an email address', (value) => email.test(value) && hostname.test(value.slice(value.indexOf('@') + 1))],
  ['hostname', 'a host name', (value) => hostname.test(value)],
  ['ip', 'an IP address', (value) => isIP(value) !== 0],
  ['ipv4', 'an IPv4 address', isIPv4],
  ['ipv6', 'an IPv6 address', isIPv6],
  ['address', 'a host name or an IP address', (value) => isIP(value) !== 0 || hostname.test(value)],
  ['uri', 'a URI with a scheme', (value) => URL.canParse(value)],
  ['uriRef', 'a URI or a path', (value) => URL.canParse(value, 'https://example.com')],
  ['uuid', 'a UUID', (value) => uuid.test(value)],
]

function textBroken(rules: TextRules | null, value: string): string | null {
  if (!rules) return null
  const length = Array.from(value).length
  const bytes = Buffer.byteLength(value)
  if (rules.const !== null && value !== rules.const) return `must be ${rules.const}`
  if (rules.len !== null && length !== rules.len) return `must have ${rules.len} characters`
  if (rules.minLen !== null && length < rules.minLen) return `must have at least ${rules.minLen} characters`
  if (rules.maxLen !== null && length > rules.maxLen) return `must have at most ${rules.maxLen} characters`
  if (rules.lenBytes !== null && bytes !== rules.lenBytes) return `must have ${rules.lenBytes} bytes`
  if (rules.minBytes !== null && bytes < rules.minBytes) return `must have at least ${rules.minBytes} bytes`
  if (rules.maxBytes !== null && bytes > rules.maxBytes) return `must have at most ${rules.maxBytes} bytes`
  if (rules.prefix !== null && !value.startsWith(rules.prefix)) return `must begin with ${rules.prefix}`
  if (rules.suffix !== null && !value.endsWith(rules.suffix)) return `must end with ${rules.suffix}`
  if (rules.contains !== null && !value.includes(rules.contains)) return `must contain ${rules.contains}`
  if (rules.notContains !== null && rules.notContains !== '' && value.includes(rules.notContains))
    return `must not contain ${rules.notContains}`
  if (rules.in.length > 0 && !rules.in.includes(value)) return `must be one of ${rules.in.join(', ')}`
  if (rules.notIn.includes(value)) return `must not be one of ${rules.notIn.join(', ')}`
  if (rules.pattern !== null && value.length > matchedMax) return `must have at most ${matchedMax} characters`
  if (rules.pattern !== null && !matchesPattern(rules.pattern, value)) return `must match ${rules.pattern}`
  if (rules.wellKnownRegex === 'HTTP_HEADER_NAME' && !headerName.test(value))
    return 'must be the name of an HTTP header'
  if (rules.wellKnownRegex === 'HTTP_HEADER_VALUE' && !headerValue.test(value))
    return 'must be the value of an HTTP header'
  const wrong = forms.find(([rule, , is]) => rules[rule] === true && !is(value))
  return wrong ? `must be ${wrong[1]}` : null
}

function numberBroken(rules: NumberRules | null, value: number): string | null {
  if (!rules) return null
  if (rules.const !== null && value !== rules.const) return `must be ${rules.const}`
  if (rules.gt !== null && value <= rules.gt) return `must be more than ${rules.gt}`
  if (rules.gte !== null && value < rules.gte) return `must be at least ${rules.gte}`
  if (rules.lt !== null && value >= rules.lt) return `must be less than ${rules.lt}`
  if (rules.lte !== null && value > rules.lte) return `must be at most ${rules.lte}`
  if (rules.in.length > 0 && !rules.in.includes(value)) return `must be one of ${rules.in.join(', ')}`
  return rules.notIn.includes(value) ? `must not be one of ${rules.notIn.join(', ')}` : null
}

function listBroken(rules: ListRules | null, values: readonly string[]): string | null {
  if (!rules) return null
  if (rules.minItems !== null && values.length < rules.minItems) return `must have at least ${rules.minItems} items`
  if (rules.maxItems !== null && values.length > rules.maxItems) return `must have at most ${rules.maxItems} items`
  if (rules.unique && new Set(values).size < values.length) return 'must not have an item twice'
  const pattern = rules.items?.string?.pattern ?? null
  if (pattern !== null && values.join('').length > matchedMax)
    return `must have at most ${matchedMax} characters in all`
  for (const value of values) {
    const broken = textBroken(rules.items?.string ?? null, value)
    if (broken !== null) return `each item ${broken}`
  }
  return null
}

function relationBroken(relation: FieldRelationship, has: (name: string) => boolean): string | null {
  const given = relation.fieldNames.filter(has)
  if (relation.atLeastOne && given.length === 0) return 'at least one must be answered'
  if (relation.mutuallyExclusive && given.length > 1) return `only one may be answered, not ${given.join(' and ')}`
  if (relation.requiredTogether && given.length > 0 && given.length < relation.fieldNames.length)
    return 'must be answered together, or not at all'
  const without = relation.dependentOn?.dependencyFieldNames.filter((name) => !has(name)) ?? []
  return given.length > 0 && without.length > 0 ? `can be answered only with ${without.join(', ')}` : null
}
