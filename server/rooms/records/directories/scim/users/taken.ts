import { personOf } from '../../people/person.ts'
import type { Resource } from '../../resource.ts'
import { notUnique } from '../refuse.ts'

export const nameTaken = (userName: string) => notUnique(`A user with the userName "${userName}" already exists.`)
export const emailTaken = (email: string, why: string) =>
  notUnique(`The email address ${email} belongs to another user: ${why}.`)

/** The database decides what is unique: of two simultaneous requests, the second is refused like any other. */
export async function unique<T>(resource: () => Resource, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, constraint_name: name, constraint } = error as Record<string, string | undefined>
    if (code !== '23505') throw error
    const about = name ?? constraint ?? ''
    const person = personOf(resource())
    if (about.includes('directory_users_by_name')) throw nameTaken(person.username)
    if (about.includes('users_by_email')) throw emailTaken(person.email, 'it was just assigned')
    throw error
  }
}
