import type { Hex } from 'viem'
import { type Allowance, allowance } from './budget.ts'
import { boundedLogs } from './bounded-logs.ts'
import type { RpcRequest } from '../evm.ts'
import { fairLane } from './fair-queue.ts'
import { requireStandard } from './methods.ts'
import { rawTransaction } from '../node.ts'
import { limitExceeded, RpcError, rpcCode } from './rpc-error.ts'
import { executionOf, type RunsOwnCode, withGasCap } from './bounded-call.ts'
import type { StrangerLimits } from './public-limits.ts'
import { readTransaction, type StrangerTransaction } from './public-transaction.ts'

/** Answers the requests of clients that are not this process, within bounds. */
export type StrangerRequest = (request: RpcRequest, client: string) => Promise<unknown>

export declare namespace strangers {
  type Parts = {
    readonly request: (request: RpcRequest) => Promise<unknown>
    /** Milliseconds. */
    readonly now: () => number
    readonly limits: StrangerLimits
    readonly runsOwnCode: RunsOwnCode
  }
}

/** How long a client may keep the EVM at work at once, in milliseconds, and in each second. */
const work = { most: 4_000, perSecond: 200 }
/** What any request counts at least, and at most, in milliseconds. */
const counted = { least: 0.2, most: 1_000 }

/** The lane takes a quarter of the EVM's time, and the rest is the server's. */
const queue = { perClient: 32, inAll: 256, rest: 3 }

const executing: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas'])
const heavy: ReadonlySet<string> = new Set([
  ...executing,
  ...['eth_feeHistory', 'eth_getLogs', 'eth_getProof', 'eth_sendRawTransaction'],
])

/**
 * Bounds what clients outside this process may do: little gas for a call or a transaction, a share
 * of the EVM's time for each of them, one request at a time in a lane of their own, and so much gas
 * in a day as a start can execute again.
 */
export function strangers({ request, now, limits, runsOwnCode }: strangers.Parts): StrangerRequest {
  const times = allowance({ ...work, now })
  const lane = fairLane(queue)
  const send = transactions({ request, now, limits, runsOwnCode })
  const execute = executions({ request, limits, runsOwnCode })
  const answer = async ({ method, params = [] }: RpcRequest, client: string) => {
    if (!Array.isArray(params)) throw new RpcError(rpcCode.invalidParams, 'Params must be a list.')
    if (method === 'eth_sendRawTransaction') return send(rawTransaction(params), client)
    if (method === 'eth_getLogs') return boundedLogs(request, params)
    return executing.has(method) ? execute(method, params) : request({ method, params })
  }
  const time = { amount: counted.least, of: 'the time of the chain' }
  return async (asked, client) => {
    requireStandard(asked.method)
    requireLeft(times, client, time)
    return lane.run(client, async () => {
      // What waited in the lane has not seen what those before it used.
      requireLeft(times, client, time)
      const began = performance.now()
      try {
        return await answer(asked, client)
      } finally {
        const took = heavy.has(asked.method) ? performance.now() - began : 0
        times.use(client, Math.min(counted.most, Math.max(counted.least, took)))
      }
    })
  }
}

/** Returns what carries out calls and estimates with little gas, or with much where only our code runs. */
function executions({ request, limits, runsOwnCode }: Omit<strangers.Parts, 'now'>) {
  return async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const execution = executionOf(params)
    if (execution !== undefined && runsOwnCode(execution)) return request({ method, params })
    const capped = withGasCap(params, limits.gas)
    try {
      // An estimate that fails takes twice the memory of a call that does.
      if (method === 'eth_estimateGas')
        await request({ method: 'eth_call', params: onNext(capped) })
      return await request({ method, params: capped })
    } catch (error) {
      throw explained(error, limits.gas)
    }
  }
}

/** Returns the parameters of a call in the block that an estimate is made for. */
const onNext = ([call, block, ...rest]: readonly unknown[]) => [call, block ?? 'pending', ...rest]

/** Says of a call that ran out of gas how much it could have had. */
function explained(error: unknown, gas: bigint): unknown {
  if (!(error instanceof RpcError) || !/ran out of gas/.test(error.message)) return error
  const message = `${error.message}; a call through /rpc may use at most ${gas} gas`
  return new RpcError(error.code, message, error.data)
}

type Share = { readonly amount: number; readonly of: string }

function requireLeft(left: Allowance, name: string, { amount, of }: Share): void {
  const wait = left.wait(name, amount)
  if (wait > 0) throw limitExceeded(`This client has used its share of ${of}`, wait)
}

const secondsOfDay = 86_400
/** The part of a day's gas that one client or one sender may use. */
const share = 4

function transactions({ request, now, limits, runsOwnCode }: strangers.Parts) {
  const most = Number(limits.gasPerDay)
  const inAll = allowance({ most, perSecond: most / secondsOfDay, now })
  const each = allowance({ most: most / share, perSecond: most / share / secondsOfDay, now })
  const use = (names: readonly string[], gas: number) => {
    inAll.use('all', gas)
    for (const name of names) each.use(name, gas)
  }
  return async (raw: Hex, client: string): Promise<unknown> => {
    const transaction = await readTransaction(raw)
    if (!runsOwnCode(transaction)) requireSmall(transaction, limits.gas)
    const names = [`client ${client}`, `sender ${transaction.sender.toLowerCase()}`]
    const [amount, of] = [Number(transaction.gas), 'the gas of a day']
    for (const name of names) requireLeft(each, name, { amount, of })
    requireLeft(inAll, 'all', { amount, of })
    use(names, amount)
    const spent = await spentBy(request, raw).catch((error) => {
      // What is refused leaves nothing to execute again.
      use(names, -amount)
      throw error
    })
    use(names, Number(spent.gas) - amount)
    return spent.hash
  }
}

async function spentBy(request: strangers.Parts['request'], raw: Hex) {
  const hash = await request({ method: 'eth_sendRawTransaction', params: [raw] })
  const receipt = await request({ method: 'eth_getTransactionReceipt', params: [hash] })
  const { gasUsed } = receipt as { readonly gasUsed: Hex }
  return { hash, gas: BigInt(gasUsed) }
}

function requireSmall({ gas }: StrangerTransaction, most: bigint): void {
  if (gas <= most) return
  const bound = `a transaction through /rpc may have a gas limit of at most ${most}`
  throw new RpcError(rpcCode.refused, `intrinsic gas too high: ${bound}, and this one has ${gas}`)
}
