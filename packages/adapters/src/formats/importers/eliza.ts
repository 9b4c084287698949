import type { Omission } from '../import-report.ts'
import type { JsonImporter } from './importer.ts'
import { isJsonObject, listOf, memberOf, textOf } from './json-file.ts'

/** Imports a character of ElizaOS: who an agent is, how it speaks, and what it knows. */
export const eliza: JsonImporter = {
  noun: 'a character of ElizaOS',
  file: 'character.json',
  otherFiles: /^[\p{L}\p{N}_-]+\.character\.json$/u,
  category: 'agent',
  matches: (value) =>
    textOf(value, 'name') !== undefined && isBio(memberOf(value, 'bio')) && hasTrait(value),
  describe: (value) => {
    const name = textOf(value, 'name')
    return {
      metadata: name === undefined ? {} : { agentId: name },
      taken: [{ what: 'characters', count: 1 }, ...lists.map((list) => countList(value, list))],
      left: [...pathsOmission(value), ...pluginsOmission(value)],
    }
  },
}

const lists = [
  ...(['bio', 'lore', 'messageExamples', 'postExamples', 'topics', 'adjectives'] as const),
  'knowledge',
] as const

const traits = [...lists.slice(1), 'style', 'plugins', 'templates', 'modelProvider', 'clients']

const isBio = (bio: unknown) =>
  typeof bio === 'string' || (Array.isArray(bio) && bio.every((line) => typeof line === 'string'))

const hasTrait = (value: unknown) =>
  traits.some((name) => {
    const trait = memberOf(value, name)
    return Array.isArray(trait) || isJsonObject(trait) || typeof trait === 'string'
  })

const nouns: Readonly<Partial<Record<(typeof lists)[number], string>>> = {
  bio: 'lines of the biography',
  messageExamples: 'example conversations',
  postExamples: 'example posts',
  knowledge: 'pieces of knowledge',
}

function countList(value: unknown, list: (typeof lists)[number]) {
  const isText = typeof memberOf(value, list) === 'string'
  return { what: nouns[list] ?? list, count: isText ? 1 : listOf(value, list).length }
}

/** Reports knowledge that the character only points to. */
function pathsOmission(value: unknown): readonly Omission[] {
  const paths = listOf(value, 'knowledge').filter((piece) => {
    const item = memberOf(piece, 'item')
    return [piece, memberOf(item, 'value')].some(
      (it) => textOf(it, 'path') !== undefined || textOf(it, 'directory') !== undefined,
    )
  })
  const why = 'the character names their paths; the texts are not in its file'
  return paths.length === 0 ? [] : [{ what: `files of knowledge (${paths.length})`, why }]
}

function pluginsOmission(value: unknown): readonly Omission[] {
  const { length } = listOf(value, 'plugins')
  const why = 'the character names them; install them where it is to run'
  return length === 0 ? [] : [{ what: `plugins (${length})`, why }]
}
