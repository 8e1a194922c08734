import type { FieldViolation } from '#kernel/refusals.ts'
import type { Reads } from '#kernel/sql.ts'
import { type Answers, checkAnswers, checkAnswersIn, type FormAsked } from '#rooms/governance/forms/index.ts'
import type { Step } from '#rooms/governance/policies/index.ts'

/** The forms of a route, in the order in which they are asked. */
export const formsIn = (route: readonly Step[]): FormAsked[] =>
  route.flatMap((step) => (step.kind === 'form' ? [step.form] : []))

/** Of all answers of a task, those to one form. */
const ofForm = ({ fields }: FormAsked, data: Answers): Answers =>
  Object.fromEntries(fields.flatMap(({ name }) => (Object.hasOwn(data, name) ? [[name, data[name]]] : [])))

/** Whether nothing is left to be asked by a form. */
export function isAnswered(form: FormAsked, data: Answers | null, now: Date): boolean {
  const { missing, problems } = checkAnswers(form, ofForm(form, data ?? {}), now)
  return missing.length === 0 && problems.length === 0
}

/** Answers to several forms at once: as they are kept, and what is wrong with those that were given. What is picked must be there. */
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
    // What was not answered at all is asked for in its own step, where its rules are told.
    if (Object.keys(theirs).length > 0) problems.push(...checked.problems)
    Object.assign(answers, checked.answers)
  }
  return { answers, problems }
}

export const missingIn = (form: FormAsked, data: Answers, now: Date): string[] =>
  checkAnswers(form, ofForm(form, data), now).missing

/** Whether all that changes is what a form that is asked now had no answers to: nobody has decided about that yet. */
export const isFirstAnswer = (form: FormAsked, before: Answers | null, after: Answers): boolean => {
  const own = new Set(form.fields.map(({ name }) => name))
  return Object.keys({ ...before, ...after }).every(
    (name) =>
      JSON.stringify(before?.[name]) === JSON.stringify(after[name]) ||
      (own.has(name) && (before === null || !Object.hasOwn(before, name))),
  )
}
