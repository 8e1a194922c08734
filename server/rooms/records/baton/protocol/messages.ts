export { toBinary } from '@bufbuild/protobuf'
export { messageExcess } from './excess.ts'
export {
  Capability,
  CreateAccountResponseSchema,
  CredentialOptionsSchema,
  EntitlementSchema,
  GrantManagerServiceGrantResponseSchema,
  GrantSchema,
  ResourceSchema,
} from './generated/c1/connector/v2/records_pb.js'
export { BatonService, Task_Status, TaskSchema } from './generated/c1/connectorapi/baton/v1/baton_pb.js'
