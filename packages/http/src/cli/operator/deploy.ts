import type { Hex } from '@heirloom/core'
import { type Call, command, withValue } from '../arguments/command.ts'
import { readAddress } from '../arguments/read-values.ts'
import { type Output, writeTo } from '../terminal/output.ts'

const options = {
  dollar: withValue(
    'ADDRESS',
    'Bind the pair to this dollar, an ERC-20 token with EIP-3009, for ever; usdc names the USDC of the chain.',
  ),
  'any-dollar': {
    type: 'boolean',
    about: 'Allow a dollar that is not known to be the USDC of the chain.',
  },
  'dry-run': { type: 'boolean', about: 'Show what it would do and cost; send and write nothing.' },
  'standard-json': {
    type: 'boolean',
    about: 'Print the compiler input of the contracts, to verify them on a block explorer.',
  },
} as const

/** Deploys the contracts. */
export const deploy = command({
  about: 'Deploys the contracts to the chain at RPC_URL, or finds them there.',
  more: [
    'The wallet of AGENT_PRIVATE_KEY pays. An existing pair is reported and not deployed again; an interrupted deployment is finished.',
  ],
  words: [],
  options,
  examples: {
    'Show what it would cost:': 'RPC_URL=http://127.0.0.1:8545 heirloom deploy --dry-run',
  },
  isLocal: true,
  run: async (call) => {
    const { notes, report, written } = collectNotes(call.output)
    if (call.options['standard-json']) {
      await printSources(call, report)
      await written()
      return 0
    }
    const { deploy, previewDeploy } = await import('./deploy/deploy.ts')
    const { readChainConfig } = await import('../../config/config.ts')
    const run = call.options['dry-run'] ? previewDeploy : deploy
    const { dollar, 'any-dollar': anyDollar } = call.options
    const choice = { dollar: dollar === undefined ? undefined : readDollar(dollar), anyDollar }
    const pair = await run({ ...readChainConfig(call.terminal.env), ...choice }, report)
    await written()
    const lines = pair
      ? [`REGISTRY_ADDRESS=${pair.registry}`, `MARKETPLACE_ADDRESS=${pair.marketplace}`]
      : []
    await call.output.result({ value: { ...pair, notes }, lines })
  },
})

const readDollar = (text: string): Hex | 'usdc' =>
  text === 'usdc' ? text : readAddress('--dollar', text)

/** Writes notes to standard error and collects them; `written` waits until all are written. */
function collectNotes({ note }: Output) {
  const notes: string[] = []
  let last = Promise.resolve()
  const report = (line: string) => {
    notes.push(line)
    // A deployment goes on even when standard error is closed.
    last = note(line).catch(() => undefined)
  }
  // A stream writes in order, so the last note is written last.
  return { notes, report, written: () => last }
}

async function printSources(
  { terminal }: Pick<Call, 'terminal'>,
  report: (line: string) => void,
): Promise<void> {
  const { standardJson } = await import('./deploy/deploy.ts')
  // Written unchanged, because a compiler reads it.
  await writeTo(terminal.stdout, await standardJson(report))
}
