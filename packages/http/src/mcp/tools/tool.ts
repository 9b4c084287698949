import type { Static, TObject } from '@sinclair/typebox'
import type { Client } from '../../client/client.ts'
import type { ReadonlyStatic } from '../../client/responses.ts'
import type { MemoryFolder } from './memory-folder.ts'

/** What tools work with. */
export type Session = {
  readonly client: Client
  /** The address of the client's account; absent where it has none. */
  readonly account?: string | undefined
  /** The folder that memories may be read from and saved in; absent for none. */
  readonly folder?: MemoryFolder | undefined
  /** Told of what nobody foresaw, of which the client only hears that it happened. */
  readonly complain?: ((error: unknown) => void) | undefined
}

/** Who is offered a tool: anyone, the user whose keys are here, or that user with a folder. */
export type Reach = 'anyone' | 'owner' | 'folder'

/**
 * What a tool does to the world: it looks at it, writes a file, mints a token, sets terms in the
 * place of others, or pays somebody.
 */
export type Effect = 'reads' | 'saves' | 'mints' | 'sets' | 'pays'

/** What a client is told of each effect. All tools speak to a chain that is open to everybody. */
export const annotationsOf = {
  reads: marked({ readOnlyHint: true, idempotentHint: true }),
  saves: marked({}),
  mints: marked({}),
  sets: marked({ destructiveHint: true, idempotentHint: true }),
  pays: marked({ destructiveHint: true }),
} as const satisfies Readonly<Record<Effect, object>>

type Marks = {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
}

// All of them are said, for what is not said is taken for the worst.
function marked({ readOnlyHint = false, destructiveHint = false, idempotentHint = false }: Marks) {
  return { readOnlyHint, destructiveHint, idempotentHint, openWorldHint: true }
}

/** What comes with a call of a tool. */
type CallContext = { readonly signal: AbortSignal }

/** A tool of the MCP server. */
export type Tool<Input extends TObject = TObject, Output extends TObject = TObject> = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly reach: Reach
  readonly effect: Effect
  readonly input: Input
  readonly output: Output
  /** Does it. */
  run(session: Session, args: Static<Input>, context: CallContext): Promise<ReadonlyStatic<Output>>
  /** Says in one line what was done or found. */
  say(told: ReadonlyStatic<Output>): string
}

/** Returns a tool whose parts fit each other. */
export const tool = <Input extends TObject, Output extends TObject>(
  definition: Tool<Input, Output>,
): Tool => definition as unknown as Tool
