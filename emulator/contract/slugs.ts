// The rules of slugs, for forms that check a slug while the user types.
export { parseSlug } from '../core/names.ts'
export { isReservedSlug, MAX_SLUG_LENGTH, slugText } from '../core/slugs.ts'
