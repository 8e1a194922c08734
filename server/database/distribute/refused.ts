/** The database cannot be distributed as it is, for a reason that its operator can fix. Nothing was changed. */
export class DistributionRefused extends Error {
  override name = 'DistributionRefused'
}

/** A step failed. What was done before it stays, and the same command goes on from there. */
export class DistributionFailed extends Error {
  override name = 'DistributionFailed'
}
