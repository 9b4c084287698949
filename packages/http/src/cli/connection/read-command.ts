import type { Client } from '../../client/client.ts'
import { type Call, type Command, command, type Options, type Word } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-values.ts'
import type { Line } from '../terminal/output.ts'
import { connect, namedAccount, serverOptions } from './connect.ts'
import { nameAccounts } from './name-accounts.ts'

/** One run of a plain read, with the client of its server. */
type ReadCall<Of extends Options> = Call<string, Of & typeof serverOptions> & {
  readonly client: Client
}

/** A command that asks a server once, and prints the answer. It has the options of a server, too. */
type Read<Of extends Options, Subject, Value> = Omit<Command, 'words' | 'options' | 'run'> & {
  readonly options?: Of
  readonly ask: (call: ReadCall<Of>, subject: Subject) => Promise<Value>
  readonly show: (value: Value, subject: Subject) => readonly Line[]
  /** Whether it shows values of a memory, in which no account is named. */
  readonly isQuoted?: boolean
  /** Returns the exit code; 0 when absent. */
  readonly exitCode?: (value: Value) => number
}

/** The words of a read, and what it reads of them and of its options before the server is asked. */
type Reading<Of extends Options, Subject> = {
  readonly words: readonly Word[]
  readonly subjectOf: (call: Call<string, Of & typeof serverOptions>) => Promise<Subject> | Subject
}

/** Returns a plain read: a new one is a row of this. */
export function readCommand<const Of extends Options, Subject, Value>({
  subjectOf,
  options,
  ask,
  show,
  isQuoted,
  exitCode,
  ...texts
}: Read<Of, Subject, Value> & Reading<Of, Subject>): Command {
  return command({
    ...texts,
    options: { ...options, ...serverOptions },
    run: async (given) => {
      const call = given as unknown as ReadCall<Of>
      const subject = await subjectOf(call)
      const client = await connect(given)
      const value = await ask({ ...call, client }, subject)
      const lines = show(value, subject)
      const shown = isQuoted === true ? lines : await nameAccounts(call, client, lines)
      await call.output.result({ value, lines: shown })
      return exitCode?.(value) ?? 0
    },
  })
}

/** Returns a plain read about one token. */
export const tokenRead = <const Of extends Options, Value>(row: Read<Of, string, Value>): Command =>
  readCommand({
    ...row,
    words: [{ name: 'ID', about: 'The token.' }],
    subjectOf: ({ words }) => readTokenId('ID', words.ID ?? ''),
  })

/** The word of a command about an account, which is the caller's by default. */
export const accountWord = {
  name: 'ADDRESS',
  about: 'The account. Default: your wallet, or that of DATA_DIR.',
  optional: true,
} as const satisfies Word

/** Returns a plain read about one account. */
export const accountRead = <Value>(
  row: Read<Record<never, never>, `0x${string}`, Value>,
): Command => readCommand({ ...row, words: [accountWord], subjectOf: namedAccount })

/** Returns a plain read about the server itself. */
export const serverRead = <Value>(row: Read<Record<never, never>, undefined, Value>): Command =>
  readCommand({ ...row, words: [], subjectOf: () => undefined })
