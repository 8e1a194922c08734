import type { FieldViolation } from '#kernel/refusals.ts'
import type { Reads } from '#kernel/sql.ts'
import { type Answers, checkAnswers, checkAnswersIn, type FormAsked } from '#rooms/governance/forms/index.ts'
import type { Step } from '#rooms/governance/policies/index.ts'

/** The forms of a route, in the order of their steps. */
export const formsIn = (route: readonly Step[]): FormAsked[] =>
  route.flatMap((step) => (step.kind === 'form' ? [step.form] : []))

/** The answers of a task that belong to one form. */
const ofForm = ({ fields }: FormAsked, data: Answers): Answers =>
  Object.fromEntries(fields.flatMap(({ name }) => (Object.hasOwn(data, name) ? [[name, data[name]]] : [])))

/** Whether all required fields of a form are answered. */
export function isAnswered(form: FormAsked, data: Answers | null, now: Date): boolean {
  const { missing, problems } = checkAnswers(form, ofForm(form, data ?? {}), now)
  return missing.length === 0 && problems.length === 0
}

/**
 * Checks answers to several forms at once: returns them as they are stored, and what is wrong with those that were sent.
 * What is picked must exist.
 */
export async function checkAll(
  db: Reads,
  tenantId: number,
  forms: readonly FormAsked[],
  data: Answers,
  now: Date,
): Promise<{ answers: Answers; problems: FieldViolation[] }> {
  const known = new Set(forms.flatMap(({ fields }) => fields.map(({ name }) => name)))
  const problems: FieldViolation[] = Object.keys(data)
    .filter((name) => !known.has(name))
    .map((name) => ({ field: name, description: 'is not a field of the form' }))
  const answers: { [name: string]: unknown } = {}
  for (const form of forms) {
    const theirs = ofForm(form, data)
    const checked = await checkAnswersIn(db, tenantId, form, theirs, now)
    // A form without any answers gets its own step, where its rules are shown.
    if (Object.keys(theirs).length > 0) problems.push(...checked.problems)
    Object.assign(answers, checked.answers)
  }
  return { answers, problems }
}

export const missingIn = (form: FormAsked, data: Answers, now: Date): string[] =>
  checkAnswers(form, ofForm(form, data), now).missing

/**
 * Whether the change only adds answers to the form of the current step that it did not have: nobody has decided about those
 * yet.
 */
export const isFirstAnswer = (form: FormAsked, before: Answers | null, after: Answers): boolean => {
  const own = new Set(form.fields.map(({ name }) => name))
  return Object.keys({ ...before, ...after }).every(
    (name) =>
      JSON.stringify(before?.[name]) === JSON.stringify(after[name]) ||
      (own.has(name) && (before === null || !Object.hasOwn(before, name))),
  )
}
