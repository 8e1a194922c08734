/**
 * An error that an operator can correct: the command prints its message in one line. Any other error is a bug, and is
 * printed with its stack.
 */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
