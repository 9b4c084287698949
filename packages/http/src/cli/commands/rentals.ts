import { command } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { rows, timeText } from '../terminal/value-text.ts'

/** Shows who rents a token. */
export const rentals = command({
  about: 'Shows who rents a token now, and until when.',
  words: [{ name: 'ID', about: 'The token.' }],
  options: serverOptions,
  examples: [{ line: 'heirloom rentals 7', about: 'Show the renters of a token:' }],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const client = await connect(call)
    const value = await client.rentals(id, { signal: call.signal })
    const renters = value.items.map(
      ({ renter, expiresAt }) => [renter, `until ${timeText(expiresAt)}`] as const,
    )
    const lines = renters.length === 0 ? [`Nobody rents token ${id} now.`] : rows(renters)
    await call.output.result({ value, lines })
    return 0
  },
})
