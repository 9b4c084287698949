import type { Static, TObject } from '@sinclair/typebox'
import type { ReadonlyStatic } from '../../api/schemas/schema-parts.ts'
import type { Client } from '../../client/client.ts'
import type { CallOptions } from '../../client/transport/transport.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import type { MemoryFolder } from './memory-folder.ts'

/** The client and the settings that tools use. */
export type Session = {
  readonly client: Client
  /** The address of the client's account; absent where it has none. */
  readonly account?: string | undefined
  /** Opens the wallet that signs and pays for itself; absent where it may not. */
  readonly wallet?: (() => Promise<Wallet>) | undefined
  /** The folder for memories as files; absent when none is configured. */
  readonly folder?: MemoryFolder | undefined
  /** Logs an unexpected error; the MCP client gets no details of it. */
  readonly reportError?: ((error: unknown) => void) | undefined
}

/**
 * The users of a tool: anyone, the user of this process, that user with a folder, or that user with a
 * wallet that pays.
 */
export type Reach = 'anyone' | 'owner' | 'folder' | 'own'

/**
 * The effect of a tool: it reads, saves a file, mints a token, replaces the terms of a token, pays,
 * moves what a wallet holds, changes a name, changes grants, rates a memory, or erases one.
 */
export type Effect =
  | 'reads'
  | 'saves'
  | 'mints'
  | 'sets'
  | 'pays'
  | 'moves'
  | 'names'
  | 'grants'
  | 'rates'
  | 'erases'

/** The MCP annotations of each effect. Every tool has an open world, the chain. */
export const annotationsOf = {
  reads: annotations({ readOnlyHint: true, idempotentHint: true }),
  saves: annotations({}),
  mints: annotations({}),
  sets: annotations({ destructiveHint: true, idempotentHint: true }),
  pays: annotations({ destructiveHint: true }),
  moves: annotations({ destructiveHint: true }),
  names: annotations({ destructiveHint: true, idempotentHint: true }),
  grants: annotations({ destructiveHint: true }),
  rates: annotations({ destructiveHint: true, idempotentHint: true }),
  erases: annotations({ destructiveHint: true, idempotentHint: true }),
} as const satisfies Readonly<Record<Effect, object>>

type Hints = {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
}

// MCP assumes the worst for an absent hint, so all of them are set.
function annotations({
  readOnlyHint = false,
  destructiveHint = false,
  idempotentHint = false,
}: Hints) {
  return { readOnlyHint, destructiveHint, idempotentHint, openWorldHint: true }
}

/** The progress of a call; the total is absent where it is not known. */
export type CallProgress = {
  readonly progress: number
  readonly total?: number | undefined
  readonly message: string
}

/** The context of a call. */
export type CallContext = {
  readonly signal: AbortSignal
  /** Reports progress to a client that wants it; absent where none does. */
  readonly report?: ((progress: CallProgress) => void) | undefined
}

type ToolHead<Input extends TObject> = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly reach: Reach
  readonly effect: Effect
  readonly input: Input
}

/** A tool with a schema of its results, which are structured and text. */
export type ExactTool<
  Input extends TObject = TObject,
  Output extends TObject = TObject,
> = ToolHead<Input> & {
  readonly output: Output
  /** Performs the call. */
  run(session: Session, args: Static<Input>, context: CallContext): Promise<ReadonlyStatic<Output>>
  /** Describes the result in one line. */
  summarize(result: ReadonlyStatic<Output>): string
}

/** A tool for a small context: its result is one short text, without a schema. */
export type SmallTool<Input extends TObject = TObject> = ToolHead<Input> & {
  readonly output?: undefined
  /** Performs the call, and returns the text. */
  run(session: Session, args: Static<Input>, context: CallContext): Promise<string>
}

/** A tool of the MCP server. */
export type Tool = ExactTool | SmallTool

/** Defines a tool, whose functions are checked against its schemas. */
export const tool = <Input extends TObject, Output extends TObject>(
  definition: ExactTool<Input, Output>,
): ExactTool => definition as unknown as ExactTool

/** Defines a tool for a small context, whose function is checked against its schema. */
export const smallTool = <Input extends TObject>(definition: SmallTool<Input>): SmallTool =>
  definition as unknown as SmallTool

/** Opens the wallet that signs and pays for the tools of the own wallet. */
export async function walletOf({ wallet }: Session): Promise<Wallet> {
  if (wallet === undefined) throw new Error('A tool of the own wallet was called without one.')
  return wallet()
}

/** A stage of a call: its share of the whole, in percent, and what happens in it. */
type Stage = { readonly from: number; readonly to: number; readonly message: string }

/** Returns a function that reports stages of a call in percent, each value once and rising. */
export function progressStages({ report }: Pick<CallContext, 'report'>) {
  let last = -1
  const reach = (percent: number, message: string) => {
    const progress = Math.floor(percent)
    if (progress <= last) return
    last = progress
    report?.({ progress, total: 100, message })
  }
  return ({ from, to, message }: Stage): NonNullable<CallOptions['onProgress']> => {
    reach(from, message)
    return ({ bytes, total }) => {
      if (total) reach(from + (Math.min(bytes, total) / total) * (to - from), message)
    }
  }
}
