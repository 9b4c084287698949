import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Hex } from 'viem'
import { packedProgram } from '../process/packed-program.ts'

/** The points of a write at which a lane process can kill itself. */
export const crashPoints = [
  'before it is stored',
  'after it is stored',
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

export type LaneProcessOptions = {
  readonly rpc: string
  readonly privateKey: Hex
  readonly contracts: { readonly registry: Hex; readonly marketplace: Hex }
  readonly store: { readonly sqlite: string } | { readonly postgres: string }
  readonly crashAt?: CrashPoint
  /** The point at which the process freezes, once, instead of dying. */
  readonly freezeAt?: CrashPoint
  /** The time of a lease in PostgreSQL, in milliseconds. */
  readonly leaseTime?: number | undefined
  /** Numeric settings of the lane, such as `callerTimeout`. */
  readonly settings?: Readonly<Record<string, number>>
  /** More variables of the environment, as of a moved clock. */
  readonly environment?: Readonly<Record<string, string>>
}

/** A write to make: a mint of a content hash, or a royalty for a token, of 1 wei by default. */
export type WriteRequest = {
  readonly id: number
  readonly mint?: Hex
  readonly royalty?: string
  readonly amount?: string
  readonly key?: string
}

/** The result of a write, or the code of its failure. */
export type WriteResponse =
  | { readonly id: number; readonly result: { readonly txHash: Hex; readonly tokenId?: string } }
  | { readonly id: number; readonly code: string }

/** The report of a process about itself. */
type StateMessage = {
  readonly ready?: boolean
  readonly leads?: boolean
  readonly freezes?: boolean
}

/** A process of its own that writes through a ledger. */
export type LaneProcess = {
  /** Makes a write and returns its response; `undefined` if the process ended first. */
  write(request: Omit<WriteRequest, 'id'>): Promise<WriteResponse | undefined>
  /** Resolves when the process leads the lane. */
  readonly leads: Promise<void>
  /** Calls a listener whenever the process begins or ends to lead the lane. */
  onLeads(listener: (leads: boolean) => void): void
  /** Resolves when the process has frozen itself. */
  readonly frozen: Promise<void>
  readonly process: ChildProcess
  /** Resolves with the signal that ended the process, if any. */
  readonly ended: Promise<NodeJS.Signals | null>
  /** Lets the process finish its writes and exit. */
  stop(): Promise<void>
}

/** Starts a process that writes through a ledger. */
export async function startLaneProcess(options: LaneProcessOptions): Promise<LaneProcess> {
  const script = await packedProgram(join(import.meta.dirname, 'lane-process-program.ts'))
  const { environment, ...rest } = options
  const child = spawn(process.execPath, [script, JSON.stringify(rest)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null)
  const waiting = new Map<number, (response: WriteResponse | undefined) => void>()
  const ready = Promise.withResolvers<void>()
  const leads = Promise.withResolvers<void>()
  const listeners: ((leads: boolean) => void)[] = []
  const frozen = Promise.withResolvers<void>()
  const onLeads = (isLeading: boolean) => {
    if (isLeading) leads.resolve()
    for (const listener of listeners) listener(isLeading)
  }
  const onState = ({ ready: isReady, leads: isLeading, freezes }: StateMessage) => {
    if (isReady) ready.resolve()
    if (freezes) frozen.resolve()
    if (isLeading !== undefined) onLeads(isLeading)
  }
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    if (message.id === undefined) onState(message)
    else waiting.get(message.id)?.(message)
  })
  void ended.then(() => {
    ready.resolve()
    for (const resolve of waiting.values()) resolve(undefined)
  })
  // Writing to a process that died emits an error; `ended` already resolves the waiting writes.
  child.stdin.on('error', () => undefined)
  await ready.promise
  if (child.exitCode !== null) throw new Error('The writing process could not start.')
  let next = 0
  return {
    process: child,
    ended,
    leads: leads.promise,
    frozen: frozen.promise,
    onLeads: (listener) => void listeners.push(listener),
    write: (request) => {
      const id = next++
      const response = new Promise<WriteResponse | undefined>((resolve) => waiting.set(id, resolve))
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(undefined)
      child.stdin.write(`${JSON.stringify({ id, ...request })}\n`)
      return response
    },
    stop: async () => {
      child.stdin.end()
      await ended
    },
  }
}
