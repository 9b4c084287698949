import { readChainConfig } from '../config.ts'
import { type Call, command } from './command.ts'
import { write } from './output.ts'

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
    const notes: string[] = []
    const say = (line: string) => {
      notes.push(line)
      call.output.note(line)
    }
    if (call.options['standard-json']) return printSources(call, say)
    const { deploy, rehearse } = await import('../deploy.ts')
    const act = call.options['dry-run'] ? rehearse : deploy
    const pair = await act(readChainConfig(call.terminal.env), say)
    const lines = pair
      ? [`REGISTRY_ADDRESS=${pair.registry}`, `MARKETPLACE_ADDRESS=${pair.marketplace}`]
      : []
    await call.output.answer({ value: { ...pair, notes }, lines })
    return 0
  },
})

async function printSources(
  { terminal }: Pick<Call, 'terminal'>,
  say: (line: string) => void,
): Promise<number> {
  const { standardJson } = await import('../deploy.ts')
  // The compiler reads it as it is.
  await write(terminal.stdout, await standardJson(say))
  return 0
}
