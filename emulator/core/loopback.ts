// Recognises names and addresses of this machine (RFC 5735 §3, RFC 4291 §2.5.3, RFC 6761 §6.3). Pure.

/** Whether a URL's host name always refers to this machine. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[|\]$/g, '')
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    /^127(\.\d{1,3}){3}$/.test(name)
  )
}

/** Whether a socket's remote address is this machine. The check also accepts IPv4 addresses mapped to IPv6. */
export function isLoopbackAddress(address: string): boolean {
  return isLoopbackHost(address.toLowerCase().replace(/^::ffff:/, ''))
}
