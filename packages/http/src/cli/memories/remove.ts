import { removeValue } from '@heirloom/adapters/internal/diff/remove-value'
import { Failure } from '@heirloom/core'
import { findNamed } from '../../client/named-memory.ts'
import { decodeDocument } from '../../client/versions.ts'
import { type Call, command } from '../arguments/command.ts'
import { readTokenId } from '../arguments/read-values.ts'
import { connectAsAccount } from '../connection/connect.ts'
import { openNames } from '../connection/open-names.ts'
import { tokenOfGranted } from '../connection/read-version.ts'
import { namedSaveOptions, saveNamed } from './save-version.ts'

/** Saves the next version of a name without one value. */
export const remove = command({
  about: 'Saves the next version of a private name without one value.',
  more: [
    'POINTER is a JSON Pointer, which heirloom outline NAME shows: an item leaves its list, a member its object, and every other character stays.',
    'Earlier versions keep the value, encrypted and readable by their owner, until each is erased for ever: heirloom log NAME lists their tokens, and heirloom erase ID erases one.',
    'Exits with 5 when another version came in between, or after the token of --after; nothing is saved then.',
  ],
  words: [
    { name: 'NAME', about: 'The name, such as ada; with --grant with its owner, as in 0x…:ada.' },
    { name: 'POINTER', about: 'The value, such as /data/notes/3.' },
  ],
  options: namedSaveOptions,
  examples: {
    'Save it without its fourth note:': 'heirloom remove ada /data/notes/3',
    'Save the next version of a name of your own wallet:':
      'heirloom remove diary /data/a --as-wallet',
  },
  run: async (call) => {
    const { NAME: name, POINTER: pointer } = call.words
    const { after, document } = await readWithout(call, { name, pointer })
    const saving = { ...call, options: { ...call.options, after } }
    const { value, lines } = await saveNamed(saving, name, { document })
    const stay = `Earlier versions still have ${pointer}, until each is erased.`
    await call.output.result({ value, lines: [...lines, '', stay] })
  },
})

type RemoveCall = Call<'NAME' | 'POINTER', typeof namedSaveOptions>
type Place = { readonly name: string; readonly pointer: string }

/** Reads the last version, and returns its token and its text without the value. @throws `part/not-found` */
async function readWithout(call: RemoveCall, { name, pointer }: Place) {
  const { after: given } = call.options
  const after = given === undefined ? await findLast(call, name) : readTokenId('--after', given)
  const { client } = await connectAsAccount(call)
  const memory = await client.download(after, { signal: call.signal, scan: 'never' })
  const removal = removeValue(decodeDocument(memory), pointer)
  if ('text' in removal) return { after, document: removal.text }
  throw new Failure('part/not-found', { pointer, problem: removal.problem })
}

async function findLast(call: RemoveCall, name: string): Promise<string> {
  const granted = await tokenOfGranted(call, 'NAME', name)
  if (granted !== undefined) return granted
  const { versions } = await openNames(call)
  return (await findNamed(name, undefined, (page) => versions(name, page))).tokenId
}
