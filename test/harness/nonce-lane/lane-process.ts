import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Hex } from 'viem'

/** Where a writing process can end itself. */
export const crashPoints = [
  'before it is kept',
  'after it is kept',
  'before it is signed',
  'while it is signed',
  'after it is signed',
  'before it is sent',
  'after it is sent',
  'after it is seen mined',
  'before it is settled',
  'after it is settled',
] as const
export type CrashPoint = (typeof crashPoints)[number]

export type LaneChildOptions = {
  readonly rpc: string
  readonly privateKey: Hex
  readonly contracts: { readonly registry: Hex; readonly marketplace: Hex }
  readonly store: { readonly sqlite: string } | { readonly postgres: string }
  readonly crashAt?: CrashPoint
  /** Plain settings of the lane, such as `patience`. */
  readonly settings?: Readonly<Record<string, number>>
}

/** A write to make: a mint of a content hash, or a royalty to a token's creator, of 1 wei unless told. */
export type Ask = {
  readonly id: number
  readonly mint?: Hex
  readonly royalty?: string
  readonly amount?: string
  readonly key?: string
}

/** What came of it. */
export type Reply =
  | { readonly id: number; readonly result: { readonly txHash: Hex; readonly tokenId?: string } }
  | { readonly id: number; readonly code: string }

/** A process of its own that writes through a ledger. */
export type LaneProcess = {
  /** Returns what came of a write; `undefined` when the process ended first. */
  ask(ask: Omit<Ask, 'id'>): Promise<Reply | undefined>
  /** Resolves when the process has begun to lead the lane. */
  readonly leads: Promise<void>
  readonly process: ChildProcess
  /** Resolves with the signal that ended the process, if any. */
  readonly ended: Promise<NodeJS.Signals | null>
  /** Lets it end what it was asked for, and then itself. */
  stop(): Promise<void>
}

/** Starts a writing process. */
export async function startLane(options: LaneChildOptions): Promise<LaneProcess> {
  const script = join(import.meta.dirname, 'lane-process-program.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null)
  const waiting = new Map<number, (reply: Reply | undefined) => void>()
  const ready = Promise.withResolvers<void>()
  const leads = Promise.withResolvers<void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line)
    if (said.ready === true) ready.resolve()
    if (said.leads === true) leads.resolve()
    waiting.get(said.id)?.(said)
  })
  void ended.then(() => {
    ready.resolve()
    for (const resolve of waiting.values()) resolve(undefined)
  })
  // A process that died cannot be written to, which its waiters are told anyway.
  child.stdin.on('error', () => undefined)
  await ready.promise
  if (child.exitCode !== null) throw new Error('The writing process could not start.')
  let next = 0
  return {
    process: child,
    ended,
    leads: leads.promise,
    ask: (ask) => {
      const id = next++
      const reply = new Promise<Reply | undefined>((resolve) => waiting.set(id, resolve))
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(undefined)
      child.stdin.write(`${JSON.stringify({ id, ...ask })}\n`)
      return reply
    },
    stop: async () => {
      child.stdin.end()
      await ended
    },
  }
}
