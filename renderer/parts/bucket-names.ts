// Converts full bucket names (`proj_<slug>_<name>`) to short names and back. Pure.

export function fullName(tenant: string, short: string): string {
  return `proj_${tenant}_${short}`
}

export function shortName(tenant: string, full: string): string {
  const prefix = `proj_${tenant}_`
  return full.startsWith(prefix) ? full.slice(prefix.length) : full
}
