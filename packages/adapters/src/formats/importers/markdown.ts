import { type MetadataInput, metadataNames, type Omission } from '../import-report.ts'
import { isInGitFolder } from '../path-problem.ts'
import type { SourceFile } from '../source-file.ts'
import { frontMatterOf, readFrontMatter } from './front-matter.ts'
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
