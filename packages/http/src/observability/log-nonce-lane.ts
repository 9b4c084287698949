import type { LaneEvent, LaneJob, LaneTransaction } from '@heirloom/adapters/ledger'
import type { FastifyBaseLogger } from 'fastify'
import type { OutageLog } from './outage-log.ts'

type Log = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn'>

type Kind = LaneEvent['kind']
type Of<kind extends Kind> = Extract<LaneEvent, { kind: kind }>

/** The loggers of events; what is not here is only counted. */
const loggers: {
  readonly [kind in Kind]?: (log: Log, event: Of<kind>, outages: OutageLog) => void
} = {
  leads: (log, { leads }) => log.info({ leads }, 'leads the agent wallet'),
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
