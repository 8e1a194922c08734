export { isConnectorFile, magicBytes, refuseFormat } from './file/format.ts'
export { openConnectorDatabase } from './file/open.ts'
export { readRecords } from './file/read.ts'
export type { FileRecord } from './file/records.ts'
export { FileRefused } from './file/refused.ts'
export { type UnpackLimits, unpack, unpackLimits } from './file/unpack.ts'
export { Capability } from './protocol/generated/c1/connector/v2/records_pb.js'
export {
  BatonService,
  type HelloRequest,
  type Task,
  Task_Status,
  TaskSchema,
  type UploadAssetRequest,
} from './protocol/generated/c1/connectorapi/baton/v1/baton_pb.js'
