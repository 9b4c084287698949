import type { CatalogueEvent } from '@heirloom/adapters/catalogue'
import type { NodeChange, NodeStatus } from '@heirloom/adapters/internal/nodes'
import type { LaneEvent, LaneJob, LaneTransaction } from '@heirloom/adapters/ledger'
import type { KeyServiceEvent } from '@heirloom/adapters/signer'
import type { WebhookEvent } from '@heirloom/adapters/webhooks'
import type { CopyRefusal, FailureCode, TokenId } from '@heirloom/core'
import type { FastifyBaseLogger } from 'fastify'
import type { OutageLog } from './outage-log.ts'

/** Logs the troubles of the catalogue; the metrics count all its events. */
export function logCatalogueEvent(
  log: FastifyBaseLogger,
  event: CatalogueEvent,
  outages: OutageLog,
): void {
  if (event.kind === 'failed') outages.trouble(event.cause, 'the catalogue cannot read further')
  else if (event.kind === 'rebuilt') log.warn({ err: event.cause }, 'the catalogue is rebuilt')
  else if (event.kind === 'begins') {
    log.info({ block: event.firstBlock }, 'the catalogue reads the chain from this block on')
  } else if (event.kind === 'doubted') {
    const { from, to, reason } = event
    log.warn({ from, to, reason }, 'the catalogue doubts the events of some blocks; it asks again')
  } else if (event.kind === 'resolved') log.info('the catalogue doubts no events any more')
  else if (event.kind === 'reorganised') {
    log.warn({ from: event.from }, 'the catalogue rolled back blocks')
  }
}

/** Logs the troubles of webhooks, by their ids: their addresses may contain secrets. */
export function logWebhookEvent(
  log: FastifyBaseLogger,
  event: WebhookEvent,
  outages: OutageLog,
): void {
  if (event.kind === 'trouble') outages.trouble(event.error, 'events cannot be delivered')
  else if (event.kind === 'failed') {
    log.info({ webhook: event.hook, problem: event.problem }, 'a webhook did not accept an event')
  }
}

/** Logs that sealing keys are missing, or cannot be read or renewed. */
export function logKeyFailure(log: FastifyBaseLogger | undefined, failure: unknown): void {
  log?.warn({ err: failure }, 'the sealing keys need attention')
}

/** Logs that copies of a peer are refused, because it has stored too much or the disk is too full. */
export function logRefusal(log: FastifyBaseLogger | undefined, refusal: CopyRefusal): void {
  const { peer, bytes, limit } = refusal
  const message =
    'copies of a peer are refused: it has stored all that it may, or less than a tenth of the disk is free. Raise BLOB_BYTES_PER_PEER or free the disk, unless the peer should not store so much'
  log?.warn({ peer, bytes, limit }, message)
}

/** Logs that the grant by which a token was saved had ended when its mint was settled. */
export function logRefusedToken(log: FastifyBaseLogger | undefined, tokenId: TokenId): void {
  const code: FailureCode = 'grant/ended'
  const message = 'a token is no version of its name: its grant had ended when its mint was settled'
  log?.warn({ code, tokenId: `${tokenId}` }, message)
}

/** Logs that an order with money at its address could not be ended; the next sweep tries again. */
export function logOrderFailure(log: FastifyBaseLogger | undefined, failure: unknown): void {
  log?.warn({ err: failure }, 'an order could not be ended; the next sweep tries again')
}

/** Logs that no backup can be made while this server runs. */
export function logHoldFailure(log: FastifyBaseLogger | undefined, failure: unknown): void {
  log?.warn({ err: failure }, 'heirloom backup cannot use this server; stop it to make a backup')
}

/** Logs that a sweep of packs failed. */
export function logSweepFailure(log: FastifyBaseLogger | undefined, failure: unknown): void {
  log?.warn({ err: failure }, 'unused packs could not be removed; the next full hour tries again')
}

/** Logs that the blobs of a token could not be claimed; the next start checks them. */
export function logClaimFailure(log: FastifyBaseLogger | undefined, failure: unknown): void {
  log?.warn({ err: failure }, 'a blob could not be claimed; the next start checks it')
}

type Log = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn'>

type Kind = LaneEvent['kind']
type Of<kind extends Kind> = Extract<LaneEvent, { kind: kind }>

/** The loggers of events; what is not here is only counted. */
const loggers: {
  readonly [kind in Kind]?: (log: Log, event: Of<kind>, outages: OutageLog) => void
} = {
  leads: (log, { leads }) =>
    log.info({ leads }, `this process ${leads ? 'signs' : 'does not sign'} for the agent wallet`),
  signed: atLevel('debug', 'signed a transaction for a job'),
  resent: atLevel('debug', 'resent a transaction'),
  replaced: atLevel('warn', 'replaced a stuck transaction'),
  unreplaced: logUnreplaced,
  cancelled: atLevel('warn', 'cancelled a transaction that was not mined in time'),
  lost: atLevel(
    'warn',
    'another transaction of the agent wallet took a nonce; its writes go on under the next',
  ),
  reorganised: (log) => log.warn('the chain was reorganised'),
  refused: (log, { jobs }) => {
    for (const job of jobs) log.info(fieldsOf(job), 'a job was refused')
  },
  settled: (log, event) => {
    for (const job of event.jobs) logEnd(log, event, job)
  },
  trouble: logTrouble,
}

/**
 * Logs the nonce lane. Each line about a job has its id and the id of its request, and the hash of its
 * transaction once it has one.
 */
export function logNonceLane(log: Log, event: LaneEvent, outages: OutageLog): void {
  const logEvent: ((log: Log, event: never, outages: OutageLog) => void) | undefined =
    loggers[event.kind]
  logEvent?.(log, event as never, outages)
}

/** Returns a logger of a transaction, with one line for each of its jobs. */
function atLevel(level: 'debug' | 'warn', message: string) {
  return (log: Log, event: LaneTransaction) =>
    forEachJob(event, (fields) => log[level](fields, message))
}

/** Logs that a bound keeps a transaction from the price that the chain asks, both in wei of a unit of gas. */
function logUnreplaced(log: Log, event: Of<'unreplaced'>): void {
  const { needed, limit, code } = event
  const message = 'a stuck transaction stays at its price: the chain asks for more than it may pay'
  const prices = { needed: `${needed}`, limit: `${limit}`, ...(code !== undefined && { code }) }
  forEachJob(event, (fields) => log.warn({ ...fields, ...prices }, message))
}

function logTrouble(
  log: Log,
  { error, on }: Extract<LaneEvent, { kind: 'trouble' }>,
  outages: OutageLog,
): void {
  const message = 'the chain or the job store failed'
  if (on === undefined) outages.trouble(error, message)
  else if (outages.isNew(error, message)) {
    forEachJob(on, (fields) => log.warn({ ...fields, err: error }, message))
  }
}

/** Logs the end of a job, or that a job whose batch was reverted is sent again alone. */
function logEnd(
  log: Log,
  { txHash, nonce, block }: Extract<LaneEvent, { kind: 'settled' }>,
  job: LaneJob,
): void {
  const fields = { ...fieldsOf(job), txHash, nonce, block: Number(block) }
  if (job.state === 'done') log.info(fields, 'a job is done')
  else if (job.state === 'failed') log.info(fields, 'a job failed')
  else log.info(fields, 'a transaction of several jobs was reverted; each is sent alone')
}

/** Calls back for each job of a transaction, or once for one that fills a gap of nonces. */
function forEachJob({ txHash, nonce, jobs }: LaneTransaction, log: (fields: object) => void): void {
  if (jobs.length === 0) log({ txHash, nonce })
  for (const job of jobs) log({ ...fieldsOf(job), txHash, nonce })
}

const fieldsOf = ({ id, operation, requestId, traceparent, code }: LaneJob) => ({
  job: id,
  operation,
  ...(code !== undefined && { code }),
  ...(requestId !== undefined && { reqId: requestId }),
  ...(traceparent !== undefined && { traceId: traceIdOf(traceparent) }),
})

/** Returns the id of the trace in a trace context, in hexadecimal. */
const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35)

const states: Readonly<Record<NodeStatus['state'], string>> = {
  unknown: 'has not been asked yet',
  up: 'answers',
  silent: 'does not answer',
  behind: 'is behind the others',
  'other-chain': 'serves another chain',
  'other-fork': 'has other blocks than the others',
}

/** Says what a node is good for, by its place: its address may hold a key. */
export function describeNode({
  place,
  of,
  state,
}: Pick<NodeStatus, 'place' | 'state'> & { readonly of: number }): string {
  return `Node ${place} of ${of} in RPC_URL ${states[state]}`
}

type NodeLog = Pick<FastifyBaseLogger, 'info' | 'warn'>

/** Logs that a node went out, or came back. That a lone node is silent is logged with its error. */
export function logNodeChange(log: NodeLog, { place, of, state }: NodeChange): void {
  if (of === 1 && state !== 'other-chain') return
  const message = describeNode({ place, of, state })
  if (state === 'up') log.info({ node: place }, `${message} again`)
  else log.warn({ node: place, state }, message)
}

/** Logs the nodes that are out when a server starts. */
export function logNodesOut(log: NodeLog, nodes: readonly NodeStatus[]): void {
  for (const { place, state } of nodes) {
    if (state === 'up' || state === 'unknown') continue
    logNodeChange(log, { place, of: nodes.length, state })
  }
}

/** Logs once that the key service of the agent wallet failed, and once that it is back. */
export type KeyServiceWatch = {
  readonly observe: (event: KeyServiceEvent) => void
  /** Passes all events on from now on. */
  readonly pass: (to: (event: KeyServiceEvent) => void) => void
}

/** Opens the watch of a key service; it logs nothing until there is a log. */
export function keyServiceWatch(
  logger: () => Pick<FastifyBaseLogger, 'warn' | 'info'> | undefined,
): KeyServiceWatch {
  let logged: FailureCode | undefined
  let pass: ((event: KeyServiceEvent) => void) | undefined
  return {
    observe: (event) => {
      pass?.(event)
      const [log, { failure }] = [logger(), event]
      if (log === undefined || failure?.code === logged) return
      logged = failure?.code
      if (failure === undefined) log.info('the key service answers again')
      else log.warn({ err: failure }, 'the key service fails; this is logged again once it answers')
    },
    pass: (to) => {
      pass = to
    },
  }
}
