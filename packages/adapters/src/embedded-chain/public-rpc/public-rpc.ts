import type { Hex } from 'viem'
import { type Budget, budget, dayBudgets } from '../../platform/budget.ts'
import { transferGas } from '../../platform/nodes/receipt-fault.ts'
import type { PublicLimits } from '../../platform/public-limits.ts'
import type { RpcRequest } from '../evm.ts'
import type { GasBounds } from '../gas-bounds.ts'
import { rawTransaction } from '../node.ts'
import { executionOf, type PublicTransaction, readTransaction, withGasCap } from './bounded-call.ts'
import { boundedLogs } from './bounded-logs.ts'
import { explainUnread, readableAnswer, readableParams } from './client-forms.ts'
import { fairQueue } from './fair-queue.ts'
import { executes, fixedAnswers, requireStandard } from './methods.ts'
import { limitExceeded, RpcError, rpcCode } from './rpc-error.ts'

/** Handles a request of a client outside this process, within the public limits. */
export type PublicRequest = (request: RpcRequest, client: string) => Promise<unknown>

export declare namespace publicRpc {
  type Parts = {
    readonly request: (request: RpcRequest) => Promise<unknown>
    /** Milliseconds. */
    readonly now: () => number
    readonly limits: PublicLimits
    readonly bounds: Pick<GasBounds, 'most'>
    /** Runs a task while no other transaction is prepared or mined, so that no account gets code. */
    readonly alone: <T>(task: () => Promise<T>) => Promise<T>
  }
}

/** The EVM time that a client may use at once, and that is refilled per second, in milliseconds. */
const timeBudget = { most: 4_000, perSecond: 200 }
/** The least and the most time that a request is charged with, in milliseconds. */
const chargedTime = { least: 0.2, most: 1_000 }

/** With a pause of 3 the queue takes a quarter of the EVM's time; the server has the rest. */
const queueLimits = { perClient: 32, total: 256, rest: 3 }

const measured: ReadonlySet<string> = new Set([
  ...['eth_call', 'eth_estimateGas', 'eth_feeHistory'],
  ...['eth_getLogs', 'eth_getProof', 'eth_sendRawTransaction'],
])

/**
 * Returns a handler for clients outside this process that enforces the public limits: a gas cap for
 * each call and transaction, a share of the EVM's time for each client, one request at a time in a
 * fair queue, and a daily amount of gas that a replay at the next start can afford.
 */
export function publicRpc(parts: publicRpc.Parts): PublicRequest {
  const { request, now } = parts
  const time = budget({ ...timeBudget, now })
  const queue = fairQueue(queueLimits)
  const send = transactionSender(parts)
  const execute = executor(parts)
  const handle = async (received: RpcRequest, client: string) => {
    const { method } = received
    const params = readableParams(received)
    if (method === 'eth_sendRawTransaction') return send(rawTransaction(params), client)
    if (method === 'eth_getLogs') return boundedLogs(request, params)
    if (executes(method)) return execute(method, params)
    return readableAnswer({ method, params }, await request({ method, params }), request)
  }
  const leastTime = { amount: chargedTime.least, of: 'the time of the chain' }
  return async (call, client) => {
    if (fixedAnswers.has(call.method)) return fixedAnswers.get(call.method)
    requireStandard(call.method)
    requireLeft(time, client, leastTime)
    return queue.run(client, async () => {
      // The budget may have been used up while the request waited in the queue.
      requireLeft(time, client, leastTime)
      const began = performance.now()
      try {
        return await handle(call, client)
      } catch (error) {
        throw explainUnread(error, call)
      } finally {
        const duration = measured.has(call.method) ? performance.now() - began : 0
        time.use(client, Math.min(chargedTime.most, Math.max(chargedTime.least, duration)))
      }
    })
  }
}

/** Returns a function that executes calls and estimates; the gas cap does not apply to own code. */
function executor({ request, bounds }: Pick<publicRpc.Parts, 'request' | 'bounds'>) {
  return async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const most = await bounds.most(executionOf(params))
    if (most === undefined) return request({ method, params })
    const capped = withGasCap(params, most)
    try {
      return method === 'eth_call'
        ? await request({ method, params: capped })
        : await estimateGas(request, onPendingBlock(capped))
    } catch (error) {
      throw explainGasLimit(error, most)
    }
  }
}

/** An estimate is too high by this part of itself at most. */
const precision = 64n

/**
 * Finds the gas that a call needs by calls alone: each is executed once, and its memory is freed before
 * the next one.
 */
async function estimateGas(
  request: publicRpc.Parts['request'],
  params: readonly unknown[],
): Promise<Hex> {
  const succeeds = (gas: bigint) =>
    request({ method: 'eth_call', params: withGasCap(params, gas) }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof RpcError) return false
        throw error
      },
    )
  await request({ method: 'eth_call', params })
  let [low, high] = [transferGas, BigInt((params[0] as { readonly gas: Hex }).gas)]
  if (high <= low || (await succeeds(low))) return `0x${low.toString(16)}`
  while (high - low > high / precision) {
    const middle = (low + high) / 2n
    if (await succeeds(middle)) high = middle
    else low = middle
  }
  return `0x${high.toString(16)}`
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

function transactionSender({ request, now, limits, bounds, alone }: publicRpc.Parts) {
  // One client or one sender has its share of a day's gas.
  const { all: total, each: perName } = dayBudgets(Number(limits.gasPerDay), now)
  const use = (names: readonly string[], gas: number) => {
    total.use('all', gas)
    for (const name of names) perName.use(name, gas)
  }
  const mine = async (raw: Hex, transaction: PublicTransaction) => {
    const execution = transaction.delegates ? undefined : transaction
    requireGasLimit(transaction, await bounds.most(execution))
    return sendAndMeasure(request, raw)
  }
  return async (raw: Hex, client: string): Promise<unknown> => {
    const transaction = await readTransaction(raw)
    const names = [`client ${client}`, `sender ${transaction.sender.toLowerCase()}`]
    const [amount, of] = [Number(transaction.gas), 'the gas of a day']
    for (const name of names) requireLeft(perName, name, { amount, of })
    requireLeft(total, 'all', { amount, of })
    use(names, amount)
    const spent = await alone(() => mine(raw, transaction)).catch((error) => {
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

function requireGasLimit({ gas }: PublicTransaction, limit: bigint | undefined): void {
  if (limit === undefined || gas <= limit) return
  const bound = `a transaction through /rpc may have a gas limit of at most ${limit}`
  throw new RpcError(rpcCode.refused, `intrinsic gas too high: ${bound}, and this one has ${gas}`)
}
