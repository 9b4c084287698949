/** The views that the header of the page leads to: the path, the name and what the page calls it. */
export const mainViews = [
  ['/', 'Browse', 'browse'],
  ['/activity', 'Activity', 'activity'],
  ['/mine', 'My memories', 'mine'],
  ['/create', 'Create', 'create'],
] as const
