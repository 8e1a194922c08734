import { create } from '@bufbuild/protobuf'
import { DurationSchema } from '@bufbuild/protobuf/wkt'
import {
  Code,
  ConnectError,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from '@connectrpc/connect'
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node'
import { paceOf } from '#kernel/pace.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { RpcAsked, RpcService } from '#kernel/rpc.ts'
import { isSingleLine, toSingleLine } from '#kernel/single-line.ts'
import { isDatabaseError } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { authenticateConnector, type ConnectorCaller, requireConnectorClient } from '#rooms/identity/tokens/index.ts'
import {
  type FinishTaskRequest,
  type HelloRequest,
  loadProtocol,
  type Task,
  type UploadAssetRequest,
} from '#rooms/records/baton/index.ts'
import { connectorCause } from '../cause.ts'
import type { ConnectorTask } from '../connector.ts'
import { notYours, type Part, receiveUpload } from '../syncs/upload.ts'
import { heartbeatSeconds, keepOwn, keepTasks, pollSeconds } from '../tasks/leases.ts'
import { lookAt, noteSeen, type Seen, updateMetadata } from '../tasks/store.ts'
import { finishTask, leaseTasks, takeOver } from '../work/actions.ts'
import { checkedMessages } from './frames.ts'
import { metadataOf } from './metadata.ts'
import { accountIn, grantsIn, taskOnWire, Unsendable } from './tasks.ts'

const { BatonService, TaskSchema } = await loadProtocol()

const callerKey = createContextKey<Caller | null>(null)
/** Every second poll: within the time after which a connector counts as silent (connector/live-state.ts). */
const seenEveryMs = 50_000
const hostIdMax = 256
const tasksMax = 3
/** How many further tasks are tried in one call after one that cannot be sent. */
const unsendableMax = 20
/** The least data that an upload has to send in a time, and so how long one of its messages may take. */
const uploadPace = { windowMs: 60_000, bytesPerSecondMin: 1024 }

/** The service that Baton connectors call. */
export function batonService(world: World): RpcService {
  const router = createConnectRouter({
    connect: false,
    grpcWeb: false,
    // What connectors do not use is not decompressed.
    acceptCompression: [],
    binaryOptions: { readUnknownFields: false },
  }).service(BatonService, handlersOf(world))
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]))
  return {
    methods: router.handlers.map(({ method, requestPath }) => ({
      id: `BatonService.${method.name}`,
      path: requestPath,
      stream: method.methodKind !== 'unary',
    })),
    async admit(asked) {
      const client = await authenticateConnector(world, asked)
      const values = createContextValues().set(callerKey, { client, asked, tenantId: asked.tenant.id })
      return {
        clientId: client.clientId,
        serve(request, response) {
          const handle = handlers.get(request.url.split('?', 1)[0] as string)
          if (!handle) throw new Error(`no method of the service is at ${request.url}`)
          const call = universalRequestFromNodeRequest(request, response, undefined, values)
          const body = checkedMessages(call.body as AsyncIterable<Uint8Array>, handle.method)
          handle({ ...call, body })
            .then((reply) => universalResponseToNodeResponse(reply, response))
            .catch((error: unknown) => {
              if (ConnectError.from(error).code !== Code.Aborted)
                world.log.warn({ err: error, method: handle.method.name }, 'a connector did not get its answer')
            })
        },
      }
    },
  }
}

type Caller = { client: ConnectorCaller; asked: RpcAsked; tenantId: number }

/** Turns errors into those that gRPC clients understand. */
async function served<T>(world: World, context: HandlerContext, work: (caller: Caller) => Promise<T>): Promise<T> {
  try {
    const caller = context.values.get(callerKey)
    if (!caller) throw new Error('a call without its caller')
    return await work(caller)
  } catch (error) {
    if (error instanceof ConnectError) throw error
    // The codes of our refusals are those of gRPC.
    if (error instanceof Refusal) throw new ConnectError(error.message, error.code)
    if (isDatabaseError(error)) {
      world.log.warn({ err: error }, 'a connector could not be served')
      throw new ConnectError('The database is unavailable; try again.', Code.Unavailable)
    }
    world.log.error({ err: error }, 'a bug')
    throw new ConnectError('Internal server error.', Code.Internal)
  }
}

const duration = (seconds: number) => create(DurationSchema, { seconds: BigInt(seconds) })

function hostOf(hostId: string): string {
  if (hostId === '' || hostId.length > hostIdMax || !isSingleLine(hostId) || !hostId.isWellFormed())
    throw new Refusal('INPUT_INVALID', `host_id must be one line of 1 to ${hostIdMax} characters.`)
  return hostId
}

const taskIdForm = /^[0-9A-Za-z]{27}$/
/** An id with an invalid form names no task. */
function taskIdOf(id: string): string {
  if (!taskIdForm.test(id)) throw notYours()
  return id
}

const causeOf = (asked: RpcAsked, { displayName }: ConnectorCaller, operation: string) => ({
  ...connectorCause(asked.tenant, { displayName }, operation),
  requestId: asked.requestId,
  sourceAddress: asked.sourceAddress,
})

const noneTask = create(TaskSchema, { taskType: { case: 'none', value: {} } })

function seenNow(world: World, { asked }: Caller, hostId: string): Seen {
  const at = world.now()
  const notSince = new Date(at.getTime() - seenEveryMs)
  const agent = toSingleLine(asked.agent.slice(0, 300)).toWellFormed()
  return { agent, hostId, at, notSince }
}

type Leased = { sent: Task[]; pollAfter: number }

/** Tasks for a host, and after how many seconds it asks again. */
async function lease(world: World, caller: Caller, hostId: string, countMax: number): Promise<Leased> {
  const { client, tenantId } = caller
  const seen = seenNow(world, caller, hostId)
  const looked = await lookAt(world.db, tenantId, client.connectorId, seen)
  const { isAnythingToDo, isNews, isAnythingLeased } = looked
  if (looked.hasShortened) await keepOwn(world, tenantId, client.connectorId, hostId)
  if (isNews) await noteSeen(world.db, tenantId, client.connectorId, seen)
  // A process that is running shows it (keepOwn), and one that has just started soon gets the tasks that another one
  // leaves.
  const idle = isAnythingLeased ? pollSeconds.withLeased : pollSeconds.idle
  if (!isAnythingToDo) return { sent: [], pollAfter: idle }
  const { sent, isSync } = await leaseSendable(world, caller, hostId, countMax)
  return { sent, pollAfter: sent.length === 0 ? idle : isSync ? pollSeconds.withLeased : pollSeconds.withTask }
}

/** A task that cannot be sent fails, and the next one is tried. */
async function leaseSendable(world: World, { client, tenantId, asked }: Caller, hostId: string, countMax: number) {
  const sent: Task[] = []
  let isSync = false
  for (let rounds = 0; rounds < unsendableMax && sent.length < countMax; rounds++) {
    const wanted = { hostId, countMax: countMax - sent.length }
    const tasks = await leaseTasks(world, tenantId, client.connectorId, wanted)
    for (const task of tasks) {
      const onWire = await wireOrWhy(world, tenantId, task)
      if (typeof onWire !== 'string') sent.push(onWire)
      else {
        const report = { hostId, taskId: task.id, error: onWire }
        await finishTask(world, causeOf(asked, client, 'BatonService.GetTask'), client.connectorId, report)
      }
    }
    isSync ||= tasks.some(({ kind }) => kind === 'sync')
    if (tasks.length === 0 || sent.length > 0) break
  }
  return { sent, isSync }
}

async function wireOrWhy(world: World, tenantId: number, task: ConnectorTask): Promise<Task | string> {
  try {
    return await taskOnWire(world, tenantId, task)
  } catch (error) {
    if (error instanceof Unsendable) return error.message
    throw error
  }
}

const poll = (pollAfter: number) => ({ nextPoll: duration(pollAfter), nextHeartbeat: duration(heartbeatSeconds) })

function handlersOf(world: World) {
  return {
    hello: (request: HelloRequest, context: HandlerContext) =>
      served(world, context, async (caller) => {
        const seen = seenNow(world, caller, hostOf(request.hostId))
        await noteSeen(world.db, caller.tenantId, caller.client.connectorId, seen)
        await updateMetadata(world.db, caller.tenantId, caller.client.connectorId, metadataOf(request))
        // The hello of a process that starts; with a task id, it is the response to that task.
        const { connectorId, tokenSince } = caller.client
        if (request.taskId === '')
          await takeOver(world, caller.tenantId, connectorId, { hostId: seen.hostId, tokenSince })
        return {}
      }),
    getTask: (request: { hostId: string }, context: HandlerContext) =>
      served(world, context, async (caller) => {
        const { sent, pollAfter } = await lease(world, caller, hostOf(request.hostId), 1)
        return { task: sent[0] ?? noneTask, ...poll(pollAfter) }
      }),
    getTasks: (request: { hostId: string; pageSize: number }, context: HandlerContext) =>
      served(world, context, async (caller) => {
        const countMax = Math.min(Math.max(request.pageSize, 1), tasksMax)
        const { sent, pollAfter } = await lease(world, caller, hostOf(request.hostId), countMax)
        return { tasks: sent, ...poll(pollAfter) }
      }),
    heartbeat: (request: { hostId: string; taskId: string; taskIds: string[] }, context: HandlerContext) =>
      served(world, context, async (caller) => {
        const hostId = hostOf(request.hostId)
        const taskIds = [...new Set([request.taskId, ...request.taskIds].filter((id) => taskIdForm.test(id)))].slice(
          0,
          100,
        )
        const lost = await keepTasks(world, caller.tenantId, caller.client.connectorId, { hostId, taskIds })
        return {
          nextHeartbeat: duration(heartbeatSeconds),
          cancelled: request.taskId !== '' && !(taskIds.includes(request.taskId) && !lost.includes(request.taskId)),
          cancelledTaskIds: lost,
        }
      }),
    uploadAsset: (requests: AsyncIterable<UploadAssetRequest>, context: HandlerContext) =>
      served(world, context, async ({ client, tenantId }) => {
        const { connectorId, clientId } = client
        const assertMay = () => requireConnectorClient(world, tenantId, clientId)
        await receiveUpload(world, tenantId, { connectorId, assertMay }, partsOf(requests))
        return {}
      }),
    finishTask: (
      request: {
        hostId: string
        taskId: string
        status?: { code: number; message: string } | undefined
        finalState: FinishTaskRequest['finalState']
      },
      context: HandlerContext,
    ) =>
      served(world, context, async ({ client, asked }) => {
        const { finalState, status } = request
        if (finalState.case === undefined) throw new Refusal('INPUT_INVALID', 'final_state must be success or error.')
        const error = finalState.case === 'success' ? null : (status?.message ?? '')
        const cause = causeOf(asked, client, 'BatonService.FinishTask')
        const response = finalState.case === 'success' ? finalState.value.response : undefined
        const told = { account: accountIn(response), grants: grantsIn(response) }
        const report = { hostId: hostOf(request.hostId), taskId: taskIdOf(request.taskId), error, ...told }
        if (!(await finishTask(world, cause, client.connectorId, report))) throw notYours()
        return {}
      }),
  }
}

/** The messages of an upload, converted, with a limit on how long each is waited for. */
async function* partsOf(requests: AsyncIterable<UploadAssetRequest>): AsyncGenerator<Part> {
  const messages = requests[Symbol.asyncIterator]() as AsyncIterator<UploadAssetRequest, undefined>
  const pace = paceOf<UploadAssetRequest>(
    uploadPace,
    ({ msg }) => (msg.case === 'data' ? msg.value.data.length : 0),
    () => new Refusal('REQUEST_TIMEOUT', 'The upload took too long to arrive.'),
  )
  for (;;) {
    const { done, value } = await pace(messages.next())
    if (done) return
    const { msg } = value
    if (msg.case === 'metadata')
      yield { is: 'begin', hostId: hostOf(msg.value.hostId), taskId: taskIdOf(msg.value.taskId) }
    else if (msg.case === 'data') yield { is: 'data', bytes: msg.value.data }
    else if (msg.case === 'eof') yield { is: 'end', sha256: msg.value.sha256Checksum }
    else throw new Refusal('BODY_MALFORMED', 'A message of the upload is empty.')
  }
}
