import { both, either, inDepartment, inTeam, type Match, managers } from '../plan.ts'

export const engineers = inDepartment('Engineering')
export const developers = either(inTeam('Firmware', 'Platform', 'Web', 'Quality'), inDepartment('Data'))
export const administrators = inTeam('Systems')
export const security = inTeam('Security')
export const ledBy = (match: Match): Match => both(managers, match)
