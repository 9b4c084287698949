import { readChainConfig } from '../../config/config.ts'
import { type Call, command } from '../arguments/command.ts'
import { type Output, write } from '../terminal/output.ts'

const options = {
  'dry-run': { type: 'boolean', about: 'Say what it would do and cost; send and write nothing.' },
  'standard-json': {
    type: 'boolean',
    about: 'Print what the contracts are compiled from, to verify them on a block explorer.',
  },
} as const

/** Puts the contracts on a chain. */
export const deploy = command({
  about: 'Puts the two contracts on the chain of RPC_URL, or finds them there.',
  more: [
    'AGENT_PRIVATE_KEY pays. A pair that is there already is told, and an unfinished deployment finished.',
  ],
  words: [],
  options,
  examples: [
    {
      line: 'RPC_URL=http://127.0.0.1:8545 heirloom deploy --dry-run',
      about: 'What it would cost:',
    },
  ],
  isLocal: true,
  run: async (call) => {
    const { notes, say, said } = notesOn(call.output)
    if (call.options['standard-json']) {
      await printSources(call, say)
      await said()
      return 0
    }
    const { deploy, rehearse } = await import('../deploy/deploy.ts')
    const act = call.options['dry-run'] ? rehearse : deploy
    const pair = await act(readChainConfig(call.terminal.env), say)
    await said()
    const lines = pair
      ? [`REGISTRY_ADDRESS=${pair.registry}`, `MARKETPLACE_ADDRESS=${pair.marketplace}`]
      : []
    await call.output.answer({ value: { ...pair, notes }, lines })
    return 0
  },
})

/** Returns what says and keeps notes, and waits until those that were said are written. */
function notesOn({ note }: Output) {
  const notes: string[] = []
  let last = Promise.resolve()
  const say = (line: string) => {
    notes.push(line)
    // A deployment goes on though nobody reads of it.
    last = note(line).catch(() => undefined)
  }
  // They are written in turn.
  return { notes, say, said: () => last }
}

async function printSources(
  { terminal }: Pick<Call, 'terminal'>,
  say: (line: string) => void,
): Promise<void> {
  const { standardJson } = await import('../deploy/deploy.ts')
  // The compiler reads it as it is.
  await write(terminal.stdout, await standardJson(say))
}
