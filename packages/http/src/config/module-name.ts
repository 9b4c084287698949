/** Reports whether a setting is the path of a module: it begins with a slash, `./` or `../`. */
export const isModulePath = (name: string): boolean => /^\.{0,2}\//.test(name)

/** Reports whether a setting is the name of a package, or of one of its entrances. */
export const isPackageName = (name: string): boolean =>
  /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(\/[\w./-]+)?$/.test(name)
