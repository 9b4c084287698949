import { command } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { checkedExcerpts, screened, screenedOption } from '../connection/answers.ts'
import { connect, serverOptions } from '../connection/connect.ts'
import { rows } from '../terminal/value-text.ts'

/** Shows the excerpts of a token. */
export const excerpts = command({
  about: 'Shows the values of a memory that its creator shows, once their proofs are checked.',
  more: [
    'proven: the server sealed the memory, and computed the root of the proofs from it. committed: the creator sealed it, and only who opens the memory can compare them. --json has the proofs too.',
  ],
  words: [{ name: 'ID', about: 'The token.' }],
  options: { ...screenedOption, ...serverOptions },
  examples: [
    { line: 'heirloom excerpts 7', about: 'Show the excerpts of a token:' },
    {
      line: 'heirloom excerpts 7 --json | jq -r .root',
      about: 'Print the root that the proofs lead to:',
    },
  ],
  run: async (call) => {
    const id = readTokenId('ID', call.words.ID)
    const client = await connect(call)
    const found = await client.excerpts(id, { signal: call.signal })
    const value = { ...found, excerpts: await screened(call, client, checkedExcerpts(found)) }
    const shown = value.excerpts.map((it) => [it.pointer, it.value] as const)
    const none = `Token ${id} shows no excerpt with a proof.`
    const lines =
      found.mark === null || shown.length === 0 ? [none] : rows([['Mark', found.mark], ...shown])
    await call.output.result({ value, lines })
    return 0
  },
})
