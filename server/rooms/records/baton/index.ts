export { isConnectorFile, magicBytes, refuseFormat } from './file/format.ts'
export { type ConnectorDatabase, openConnectorDatabase } from './file/open.ts'
export type { FileRecord, KeptGrant } from './file/records.ts'
export { FileRefused } from './file/refused.ts'
export { type UnpackLimits, unpack, unpackLimits } from './file/unpack.ts'
// The decoder of messages is loaded where it is needed: it takes 100 ms of CPU time, which every command would pay.
export type { FileWriter, WrittenUser } from './file/write.ts'
export type {
  FinishTaskRequest,
  HelloRequest,
  Task,
  UploadAssetRequest,
} from './protocol/generated/c1/connectorapi/baton/v1/baton_pb.js'

export const loadWriter = () => import('./file/write.ts')
export const loadReader = () => import('./file/read.ts')
export const loadKept = () => import('./file/kept.ts')
export const loadProtocol = () => import('./protocol/messages.ts')
