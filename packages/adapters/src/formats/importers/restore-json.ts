import { type JsonText, readMembers } from '@heirloom/core'
import { walkJson } from '../secrets/walk-json.ts'
import type { JsonForm } from './json-file.ts'

/** Restores the text of the imported file, or returns `undefined` when `data` has another form. */
export function restoreJson(data: string, form: JsonForm): string | undefined {
  if (form === 'object') return data
  const member = onlyMember(data, form === 'value' ? 'value' : 'lines')
  if (member === undefined || form === 'value') return member
  return member.startsWith('[') ? removeCommas(member) : undefined
}

function onlyMember(data: string, name: string): string | undefined {
  const members = tryReadMembers(data)
  const text = members?.get(name)
  return text === undefined || members?.size !== 1 ? undefined : new TextDecoder().decode(text)
}

function tryReadMembers(data: string): ReadonlyMap<string, JsonText> | undefined {
  try {
    return readMembers(new TextEncoder().encode(data))
  } catch {
    return undefined
  }
}

/** Removes the brackets of a list and the commas between its items. */
function removeCommas(list: string): string {
  const parts: string[] = []
  let at = 1
  walkJson(list, {
    comma: (index, path) => {
      if (path.length !== 1) return
      parts.push(list.slice(at, index))
      at = index + 1
    },
  })
  return parts.join('') + list.slice(at, -1)
}
