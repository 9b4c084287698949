import type { Hex } from 'viem'
import type { RpcRequest } from '../evm.ts'
import { rawTransaction } from '../node.ts'
import { executionOf, type RunsOwnCode, withGasCap } from './bounded-call.ts'
import { boundedLogs } from './bounded-logs.ts'
import { type Budget, budget } from './budget.ts'
import { fairQueue } from './fair-queue.ts'
import { requireStandard } from './methods.ts'
import type { PublicLimits } from './public-limits.ts'
import { type PublicTransaction, readTransaction } from './public-transaction.ts'
import { limitExceeded, RpcError, rpcCode } from './rpc-error.ts'

/** Handles a request of a client outside this process, within the public limits. */
export type PublicRequest = (request: RpcRequest, client: string) => Promise<unknown>

export declare namespace publicRpc {
  type Parts = {
    readonly request: (request: RpcRequest) => Promise<unknown>
    /** Milliseconds. */
    readonly now: () => number
    readonly limits: PublicLimits
    readonly runsOwnCode: RunsOwnCode
  }
}

/** The EVM time that a client may use at once, and that is refilled per second, in milliseconds. */
const timeBudget = { most: 4_000, perSecond: 200 }
/** The least and the most time that a request is charged with, in milliseconds. */
const chargedTime = { least: 0.2, most: 1_000 }

/** With a pause of 3 the queue takes a quarter of the EVM's time; the server has the rest. */
const queueLimits = { perClient: 32, total: 256, rest: 3 }

const executing: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas'])
const measured: ReadonlySet<string> = new Set([
  ...executing,
  ...['eth_feeHistory', 'eth_getLogs', 'eth_getProof', 'eth_sendRawTransaction'],
])

/**
 * Returns a handler for clients outside this process that enforces the public limits: a gas cap for
 * each call and transaction, a share of the EVM's time for each client, one request at a time in a
 * fair queue, and a daily amount of gas that a replay at the next start can afford.
 */
export function publicRpc({ request, now, limits, runsOwnCode }: publicRpc.Parts): PublicRequest {
  const time = budget({ ...timeBudget, now })
  const queue = fairQueue(queueLimits)
  const send = transactionSender({ request, now, limits, runsOwnCode })
  const execute = executor({ request, limits, runsOwnCode })
  const handle = async ({ method, params = [] }: RpcRequest, client: string) => {
    if (!Array.isArray(params)) throw new RpcError(rpcCode.invalidParams, 'Params must be a list.')
    if (method === 'eth_sendRawTransaction') return send(rawTransaction(params), client)
    if (method === 'eth_getLogs') return boundedLogs(request, params)
    return executing.has(method) ? execute(method, params) : request({ method, params })
  }
  const leastTime = { amount: chargedTime.least, of: 'the time of the chain' }
  return async (call, client) => {
    requireStandard(call.method)
    requireLeft(time, client, leastTime)
    return queue.run(client, async () => {
      // The budget may have been used up while the request waited in the queue.
      requireLeft(time, client, leastTime)
      const began = performance.now()
      try {
        return await handle(call, client)
      } finally {
        const duration = measured.has(call.method) ? performance.now() - began : 0
        time.use(client, Math.min(chargedTime.most, Math.max(chargedTime.least, duration)))
      }
    })
  }
}

/** Returns a function that executes calls and estimates; the gas cap does not apply to own code. */
function executor({ request, limits, runsOwnCode }: Omit<publicRpc.Parts, 'now'>) {
  return async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const execution = executionOf(params)
    if (execution !== undefined && runsOwnCode(execution)) return request({ method, params })
    const capped = withGasCap(params, limits.gas)
    try {
      // A failing estimate takes twice the memory of a failing call, so the call goes first.
      if (method === 'eth_estimateGas')
        await request({ method: 'eth_call', params: onPendingBlock(capped) })
      return await request({ method, params: capped })
    } catch (error) {
      throw explainGasLimit(error, limits.gas)
    }
  }
}

/** Returns the parameters of a call on the block that an estimate uses, the pending one by default. */
const onPendingBlock = ([call, block, ...rest]: readonly unknown[]) => [
  call,
  block ?? 'pending',
  ...rest,
]

/** Adds the gas cap to the error of a call that ran out of gas. */
function explainGasLimit(error: unknown, gas: bigint): unknown {
  if (!(error instanceof RpcError) || !/ran out of gas/.test(error.message)) return error
  const message = `${error.message}; a call through /rpc may use at most ${gas} gas`
  return new RpcError(error.code, message, error.data)
}

type Charge = { readonly amount: number; readonly of: string }

function requireLeft(left: Budget, name: string, { amount, of }: Charge): void {
  const wait = left.wait(name, amount)
  if (wait > 0) throw limitExceeded(`This client has used its share of ${of}`, wait)
}

const secondsPerDay = 86_400
/** One client or one sender may use a fourth of a day's gas. */
const clientShare = 4

function transactionSender({ request, now, limits, runsOwnCode }: publicRpc.Parts) {
  const most = Number(limits.gasPerDay)
  const total = budget({ most, perSecond: most / secondsPerDay, now })
  const perName = budget({
    most: most / clientShare,
    perSecond: most / clientShare / secondsPerDay,
    now,
  })
  const use = (names: readonly string[], gas: number) => {
    total.use('all', gas)
    for (const name of names) perName.use(name, gas)
  }
  return async (raw: Hex, client: string): Promise<unknown> => {
    const transaction = await readTransaction(raw)
    if (!runsOwnCode(transaction)) requireGasLimit(transaction, limits.gas)
    const names = [`client ${client}`, `sender ${transaction.sender.toLowerCase()}`]
    const [amount, of] = [Number(transaction.gas), 'the gas of a day']
    for (const name of names) requireLeft(perName, name, { amount, of })
    requireLeft(total, 'all', { amount, of })
    use(names, amount)
    const spent = await sendAndMeasure(request, raw).catch((error) => {
      // A rejected transaction leaves nothing to replay.
      use(names, -amount)
      throw error
    })
    use(names, Number(spent.gas) - amount)
    return spent.hash
  }
}

async function sendAndMeasure(request: publicRpc.Parts['request'], raw: Hex) {
  const hash = await request({ method: 'eth_sendRawTransaction', params: [raw] })
  const receipt = await request({ method: 'eth_getTransactionReceipt', params: [hash] })
  const { gasUsed } = receipt as { readonly gasUsed: Hex }
  return { hash, gas: BigInt(gasUsed) }
}

function requireGasLimit({ gas }: PublicTransaction, limit: bigint): void {
  if (gas <= limit) return
  const bound = `a transaction through /rpc may have a gas limit of at most ${limit}`
  throw new RpcError(rpcCode.refused, `intrinsic gas too high: ${bound}, and this one has ${gas}`)
}
