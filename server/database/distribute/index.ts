export { refuseUnlessCoordinator } from './citus.ts'
export { distribute, type Progress } from './distribute.ts'
export { applySettings } from './settings.ts'
