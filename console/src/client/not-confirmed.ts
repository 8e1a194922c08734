/** The person closed the question for a recent sign-in: what they asked for was not carried out. */
export class NotConfirmed extends Error {
  constructor() {
    super(
      'This needs a recent sign-in, and the question was closed before you had signed in again. What you entered is still here: try again when you are ready.',
    )
    this.name = 'NotConfirmed'
  }
}
