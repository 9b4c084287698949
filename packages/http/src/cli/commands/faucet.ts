import type { Client } from '../../client/client.ts'
import { command, UsageError } from '../arguments/command.ts'
import { connect, namedAccount, serverOptions } from '../connection/connect.ts'
import { dollarText, rows } from '../terminal/value-text.ts'

type Dollar = Awaited<ReturnType<Client['deployment']>>['dollar']

const noFaucet = (dollar: Dollar) =>
  new UsageError(
    dollar
      ? `This server gives no dollars: its chain is not the embedded one. Get ${dollar.symbol} (${dollar.address}) elsewhere.`
      : 'This server gives no dollars: its contracts have none.',
  )

/** Gets test dollars. */
export const faucet = command({
  about: 'Gives test dollars of the embedded chain to an account: play money, worth nothing.',
  more: ['The server pays the gas, so the account needs no money for it.'],
  words: [
    {
      name: 'ADDRESS',
      about: 'The account. Default: your wallet, or that of DATA_DIR.',
      optional: true,
    },
  ],
  options: serverOptions,
  examples: [
    {
      line: 'heirloom faucet 0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      about: 'Give test dollars to an account:',
    },
  ],
  run: async (call) => {
    const address = await namedAccount(call)
    const client = await connect(call)
    const { hasFaucet, dollar } = await client.deployment({ signal: call.signal })
    if (!hasFaucet) throw noFaucet(dollar)
    const value = await client.faucet(address, { signal: call.signal })
    const lines = rows([
      ['Account', address],
      ['Given', `${dollarText(BigInt(value.amount))} of play money`],
      ['Transaction', value.txHash],
    ])
    await call.output.result({ value: { address, ...value }, lines })
    return 0
  },
})
