import { type JsonText, readMembers } from '@heirloom/core'
import type { JsonForm } from './json-file.ts'
import { walkJson } from '../secrets/walk-json.ts'

/** Returns the text of the file that became `data`, or nothing when `data` is not of that form. */
export function restoredText(data: string, form: JsonForm): string | undefined {
  if (form === 'object') return data
  const member = onlyMember(data, form === 'value' ? 'value' : 'lines')
  if (member === undefined || form === 'value') return member
  return member.startsWith('[') ? withoutCommas(member) : undefined
}

function onlyMember(data: string, name: string): string | undefined {
  const members = readable(data)
  const text = members?.get(name)
  return text === undefined || members?.size !== 1 ? undefined : new TextDecoder().decode(text)
}

function readable(data: string): ReadonlyMap<string, JsonText> | undefined {
  try {
    return readMembers(new TextEncoder().encode(data))
  } catch {
    return undefined
  }
}

/** Takes away the brackets of a list, and the commas between its items. */
function withoutCommas(list: string): string {
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
