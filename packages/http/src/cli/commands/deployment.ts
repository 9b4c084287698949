import { command } from '../arguments/command.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { rows } from '../terminal/value-text.ts'

/** Shows the chain and the contracts of a server. */
export const deployment = command({
  about: 'Shows the chain, the contracts and the dollar that a server uses.',
  more: ['Compare the addresses with a source other than the server before you trust it.'],
  words: [],
  options: serverOptions,
  examples: [
    { line: 'heirloom deployment', about: 'Show the contracts of the server:' },
    { line: 'heirloom deployment --json | jq -r .registry', about: 'Print only the registry:' },
  ],
  run: async (call) => {
    const client = await connect(call)
    const value = await client.deployment({ signal: call.signal })
    const { dollar } = value
    const lines = rows([
      [
        'Chain',
        value.chainName === null ? `${value.chainId}` : `${value.chainName}, ${value.chainId}`,
      ],
      ['Registry', value.registry],
      ['Marketplace', value.marketplace],
      ['Wallet', value.agent],
      ['Dollar', dollar === null ? 'none' : `${dollar.symbol}, ${dollar.address}`],
    ])
    await call.output.result({ value, lines })
    return 0
  },
})
