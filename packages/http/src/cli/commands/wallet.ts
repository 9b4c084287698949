import { command } from '../arguments/command.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { priceText, rows } from '../terminal/value-text.ts'

const limitText = (limit: string | null) => (limit === null ? 'none' : priceText('native', limit))

/** Shows the server's wallet. */
export const wallet = command({
  about: "Shows the balance and the limits of the server's wallet, which pays for your writes.",
  words: [],
  options: serverOptions,
  examples: [{ line: 'heirloom wallet', about: 'Show the wallet of the server:' }],
  run: async (call) => {
    const client = await connect(call)
    const value = await client.wallet({ signal: call.signal })
    const { apiKey } = value
    const lines = rows([
      ['Address', value.address],
      ['Balance', priceText('native', value.balance)],
      ['Spent today', priceText('native', value.spentToday)],
      ['Limit of a call', limitText(value.maxSpendPerCall)],
      ['Limit of a day', limitText(value.maxSpendPerDay)],
      ...(apiKey === undefined
        ? []
        : ([
            ['API key', `${apiKey.name}, scope ${apiKey.scope}`],
            ['Spent with it today', priceText('native', apiKey.spentToday)],
            ['Its limit of a call', limitText(apiKey.maxSpendPerCall)],
            ['Its limit of a day', limitText(apiKey.maxSpendPerDay)],
          ] as const)),
    ])
    await call.output.result({ value, lines })
    return 0
  },
})
