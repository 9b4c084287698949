import { isGit, pathProblem } from './path-problem.ts'

/** The texts that are written, by the end of their names. Programs run and read others. */
const textEnds = /\.(?:md|markdown|txt)$/

/** The same where whoever asked for a file named it, and not who made the memory. */
const ownEnds = /\.(?:md|markdown|txt|json|jsonl)$/

/** Characters that shells, or some system, take for more than a part of a name. */
const special = /[$`;&<>:"'|?*!\\/{}()[\]#%=^]/

/** The longest name of a file or a folder, in bytes of UTF-8, that every file system takes. */
const longestName = 240

/** Names that Windows gives to devices, whatever stands after a dot. */
const device = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/

/** Folders whose files are run, or read as part of a program. */
const programFolders =
  /^(?:node_modules|bower_components|jspm_packages|web_modules|site-packages|__pycache__|__macosx)$/

/** Texts that agents take as orders. */
const orders =
  /^(?:(?:claude|agents?|gemini|qwen|warp|crush|codex|copilot|cursor|cline|windsurf|opencode|skill|soul|tools|bootstrap|heartbeat|boot|identity|conventions|copilot-instructions)(?:[._-][^.]*)*|.+\.(?:instructions|prompt|agent|chatmode|mode))\.(?:md|markdown|txt|text)$/

/** Files of JSON or text that programs read as their configuration, or carry out. */
const configuration = [
  /^(?:package|npm|composer|bower|jsr|deno|bun|lerna|nx|rush|turbo|project|global|cdk|nodemon|marketplace|vercel|now|netlify|firebase|wrangler|angular|nest-cli|components|biome|dprint|renovate|import_map|importmap|launch|tasks|extensions|keybindings|devcontainer|mcp|mcp_servers|servers|manifest|plugin|hooks|opencode|app|appsettings|expo|eslintrc|prettierrc|babel|swcrc|workspace|policy|credentials|docker-compose|compose)(?:[._-].*)?\.jsonl?$/,
  /\.(?:tf|tfvars|tofu)\.json$/,
  /^(?:[tj]sconfig|package-lock|npm-shrinkwrap)(?:[._-].*)?\.json$/,
  /(?:^|[._-])(?:config|configuration|settings|conf|rc|lock)\.jsonl?$/,
  /^(?:requirements|constraints|cmakelists|pip|environment|env|procfile|manifest|robots)(?:[._-].*)?\.txt$/,
]

/** Lists of packages, which programs fetch and run, by any name or folder that says so. */
const packages = /(?:requirements|constraints).*\.txt$/

export declare namespace nameProblem {
  type Options = {
    /** Whether JSON may be written too, as whoever asked for the file may want it. */
    readonly json?: boolean
  }
}

/**
 * Returns what is wrong with writing a file under a name that somebody else chose, or nothing. Only
 * texts are written, and none under a name that programs run, read as configuration or take as
 * orders, or that means another file on some system.
 */
export function nameProblem(
  path: string,
  { json = false }: nameProblem.Options = {},
): string | undefined {
  const problem = pathProblem(path)
  if (problem !== undefined) return problem
  if (isGit(path)) return 'it leads into .git'
  const parts = path.split('/').map(plainName)
  for (const part of parts) {
    const wrong = partProblem(part)
    if (wrong !== undefined) return wrong
  }
  return fileProblem(parts.join('/'), json ? ownEnds : textEnds)
}

/** Returns a name as file systems compare them: in one form of Unicode, and in one case. */
export const plainName = (part: string): string =>
  part.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

/** What is wrong with a folder or a file by its name alone, each with the reason. */
const wrongParts: readonly (readonly [RegExp, string])[] = [
  [/^\./, 'hidden files and folders are read by programs'],
  [/[. ]$|^ /, 'some systems leave out a space or a dot at its end'],
  [/^[-~]/, 'programs take what begins so for an option or another folder'],
  [special, 'shells or some systems give one of its characters a meaning'],
  [
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/u,
    'it holds characters that are not seen',
  ],
  [/~[0-9]/, 'some systems take it for the short name of another file'],
  [device, 'it names a device on Windows'],
  [programFolders, 'programs run what is in such a folder'],
]

function partProblem(part: string): string | undefined {
  const [, why] = wrongParts.find(([wrong]) => wrong.test(part)) ?? []
  if (why !== undefined) return why
  return new TextEncoder().encode(part).length > longestName ? 'it is too long' : undefined
}

function fileProblem(path: string, ends: RegExp): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (!ends.test(name)) return 'it is not named as a text'
  if (orders.test(name)) return 'agents take such a file as orders'
  const isRead = packages.test(path) || configuration.some((it) => it.test(name))
  return isRead ? 'programs read such a file' : undefined
}
