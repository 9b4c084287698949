import { isScalar, parseDocument } from 'yaml'
import { type MetadataInput, metadataNames, type Omission } from '../import-report.ts'
import { isInGitFolder, type SourceFile } from '../source-file.ts'
import type { FolderImporter } from './importer.ts'
import { commonText } from './json-file.ts'
import { readTextFolder, type Text } from './text-folder.ts'

/** Texts by their ending, and the files of rules that editors read from the root of a project. */
const isText = (path: string) =>
  /\.(?:md|mdc|mdx|markdown|txt|xml)$|(?:^|\/)\.(?:cursor|windsurf|cline)rules$/i.test(path)

/**
 * Imports a folder of Markdown or other texts: the memories of Claude's memory tool and of Claude
 * Code, and others. The metadata comes from the front matter, as far as the texts agree.
 */
export const markdown: FolderImporter = {
  noun: 'a folder of texts',
  category: 'memory',
  matches: (files) => files.some(({ path }) => isText(path) && !isInGitFolder(path)),
  read: (files: readonly SourceFile[]) => {
    const { data, texts, left } = readTextFolder(files)
    const frontMatters = texts.flatMap(({ path, text }) => parseFrontMatter(path, text))
    const unread = frontMatters.filter(({ metadata }) => metadata === undefined)
    return {
      data,
      metadata: commonMetadata(frontMatters.flatMap(({ metadata }) => metadata ?? [])),
      taken: [
        { what: 'texts', count: texts.length },
        { what: 'texts with front matter', count: frontMatters.length },
      ],
      left: [...left, ...unread.map(({ path }) => frontMatterOmission(path))],
    }
  },
}

type FrontMatter = Pick<Text, 'path'> & { readonly metadata: MetadataInput | undefined }

function parseFrontMatter(path: string, text: string): readonly FrontMatter[] {
  const yaml = frontMatterOf(text)
  return yaml === undefined ? [] : [{ path, metadata: readFrontMatter(yaml) }]
}

function commonMetadata(all: readonly MetadataInput[]): MetadataInput {
  const found = metadataNames.map((name) => [name, commonText(all.map((it) => it[name]))] as const)
  return Object.fromEntries(found.filter(([, text]) => text !== undefined))
}

const frontMatterOmission = (path: string): Omission => ({
  what: `the front matter of ${path}`,
  why: 'it is not YAML; the text itself is imported',
})

/** The longest front matter that is read, in UTF-16 units. */
const longest = 16_384

const fencedBlock = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/

/** Returns the YAML at the beginning of a Markdown text, without its fences. */
function frontMatterOf(text: string): string | undefined {
  const [, yaml] = fencedBlock.exec(text.slice(0, longest + 16)) ?? []
  return yaml
}

/** Returns the metadata in front matter, or `undefined` when it is not YAML. */
export function readFrontMatter(yaml: string): MetadataInput | undefined {
  try {
    const document = parseDocument(yaml, { logLevel: 'silent' })
    if (document.errors.length > 0) return undefined
    const text = (...names: string[]) => {
      // Reads plain scalars only: follows no alias and builds no value.
      const nodes = names.map((name) => document.get(name, true))
      const values = nodes.map((node) => (isScalar(node) ? node.source : undefined))
      return values.find((value) => value !== undefined && value !== '')
    }
    return definedMetadata(text('category'), text('agentId', 'agent_id'), text('version'))
  } catch {
    return undefined
  }
}

function definedMetadata(category?: string, agentId?: string, version?: string): MetadataInput {
  return {
    ...(category !== undefined && { category }),
    ...(agentId !== undefined && { agentId }),
    ...(version !== undefined && { version }),
  }
}
