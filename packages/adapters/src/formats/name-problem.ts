import { isInGitFolder, pathProblem } from './source-file.ts'

/** The file names that are written. Programs run or read other kinds of files. */
const textExtensions = /\.(?:md|markdown|txt)$/

/** The file names that are written when the user, and not the memory, chose the name. */
const userExtensions = /\.(?:md|markdown|txt|json|jsonl)$/

/** Characters with a special meaning to shells or file systems. */
const special = /[$`;&<>:"'|?*!\\/{}()[\]#%=^]/

/** The longest name of a file or folder that every file system allows, in bytes of UTF-8. */
const longestName = 240

/** Device names of Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/

/** Folders whose files are run or read as part of a program. */
const programFolders =
  /^(?:node_modules|bower_components|jspm_packages|web_modules|site-packages|__pycache__|__macosx|memory-bank|egg-info|.*\.(?:dist-info|egg-info|egg|data))$/

/** Texts that agents read as instructions. */
const instructions =
  /^(?:(?:claude|agents?|gemini|qwen|warp|crush|codex|copilot|cursor|cline|windsurf|opencode|replit|jules|user|amazonq|codebuddy|iflow|instructions?|rules?|memory-bank|skill|soul|tools|bootstrap|heartbeat|boot|identity|conventions|copilot-instructions)(?:[._-][^.]*)*|.+\.(?:instructions|prompt|agent|chatmode|mode))\.(?:md|markdown|txt|text)$/

/** JSON and text files that programs read as configuration. */
const configuration = [
  /^(?:package|npm|composer|bower|jsr|deno|bun|lerna|nx|rush|turbo|project|global|cdk|nodemon|marketplace|vercel|now|netlify|firebase|wrangler|angular|nest-cli|components|biome|dprint|renovate|import_map|importmap|launch|tasks|extensions|keybindings|devcontainer|mcp|mcp_servers|servers|manifest|plugin|hooks|opencode|app|appsettings|expo|eslintrc|prettierrc|babel|swcrc|workspace|policy|credentials|docker-compose|compose)(?:[._-].*)?\.jsonl?$/,
  /\.(?:tf|tfvars|tofu)\.json$/,
  /^(?:[tj]sconfig|package-lock|npm-shrinkwrap)(?:[._-].*)?\.json$/,
  /(?:^|[._-])(?:config|configuration|settings|conf|rc|lock)\.jsonl?$/,
  /^(?:requirements|constraints|cmakelists|pip|environment|env|procfile|manifest|robots|packages|apt|conanfile|meson_options|entry_points|top_level)(?:[._-].*)?\.txt$/,
]

/** Lists of packages that programs install, by the name of the file or of a folder. */
const packageLists = /(?:requirements|constraints).*\.txt$/

export declare namespace nameProblem {
  type Options = {
    /** Whether JSON files are allowed too, because the user chose the name. */
    readonly json?: boolean
  }
}

/**
 * Returns why a file must not be written under a name that a stranger chose, or `undefined`. Only
 * text files are allowed, and no name that programs run, read as configuration or follow as
 * instructions, or that means another file on some system.
 */
export function nameProblem(
  path: string,
  { json = false }: nameProblem.Options = {},
): string | undefined {
  const problem = pathProblem(path)
  if (problem !== undefined) return problem
  if (isInGitFolder(path)) return 'it leads into .git'
  const parts = path.split('/').map(normalizeName)
  for (const part of parts) {
    const wrong = partProblem(part)
    if (wrong !== undefined) return wrong
  }
  return fileProblem(parts.join('/'), json ? userExtensions : textExtensions)
}

/** Returns a name as file systems compare it: normalised Unicode in one case. */
export const normalizeName = (part: string): string =>
  part.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

/** Patterns that no name of a file or folder may match, each with the reason. */
const forbiddenParts: readonly (readonly [RegExp, string])[] = [
  [/^\./, 'hidden files and folders are read by programs'],
  [/[. ]$/, 'some systems drop a space or dot at its end'],
  [/^ /, 'a space at its beginning is easily lost'],
  [/^[^\p{L}\p{M}\p{N}_]/u, 'programs take such a name for an option, a command or another folder'],
  [/ [-+@~]/, 'a program that splits names at spaces takes a part of it for an option'],
  [special, 'one of its characters has a special meaning to shells or systems'],
  [
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/u,
    'it holds invisible characters',
  ],
  [/~[0-9]/, 'some systems take it for the short name of another file'],
  [device, 'it names a device on Windows'],
  [programFolders, 'programs run files in such a folder'],
]

function partProblem(part: string): string | undefined {
  const [, why] = forbiddenParts.find(([pattern]) => pattern.test(part)) ?? []
  if (why !== undefined) return why
  return new TextEncoder().encode(part).length > longestName ? 'it is too long' : undefined
}

function fileProblem(path: string, extensions: RegExp): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (!extensions.test(name)) {
    return /\.jsonl?$/.test(name)
      ? 'programs may read a JSON file of such a name'
      : 'its name is not that of a text file'
  }
  if (instructions.test(name)) return 'agents take such a file as orders'
  const isRead = packageLists.test(path) || configuration.some((it) => it.test(name))
  return isRead ? 'programs read such a file' : undefined
}
