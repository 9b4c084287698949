import type { Call } from '../arguments/command.ts'
import type { serverOptions } from '../connection/connect.ts'
import { type namesOptions, openNames } from '../connection/open-names.ts'
import { rows } from '../terminal/value-text.ts'

type RenameCall = Call<'NAME' | 'TO', typeof namesOptions & typeof serverOptions>

/** Gives a name with all its versions another text. */
export async function renameName(call: RenameCall): Promise<number> {
  const { NAME: name, TO: to } = call.words
  const value = await (await openNames(call)).renameName(name, to)
  const { version, tokenId } = value.last
  const lines = rows([
    ['Renamed', `${name} to ${value.name}`],
    ['Versions', `${version}; the last one is token ${tokenId}`],
  ])
  await call.output.result({ value, lines })
  return 0
}
