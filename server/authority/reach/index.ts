export {
  changeWithinReach,
  isWithinReach,
  listBeyondReach,
  refuseBeyondReach,
  refuseGivingBeyondReach,
} from './reach.ts'
