import { OperatorError } from '#kernel/operator-error.ts'
/** The database cannot be distributed as it is, for a reason that its operator can fix. Nothing was changed. */
export class DistributionRefused extends OperatorError {
  override name = 'DistributionRefused'
}

/** A step failed. The steps before it stay, and the same command continues from there. */
export class DistributionFailed extends OperatorError {
  override name = 'DistributionFailed'
}
