// Settings of the native server: small, and durable against kills but not against a loss of power.
import { platform } from 'node:os'

/** Options of initdb. Texts sort by code point and upper case follows Unicode, as in the embedded engine. */
export const CLUSTER_OPTIONS = [
  '--no-sync',
  '--no-instructions',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--text-search-config=english',
  // Small WAL files keep the data directory small.
  '--wal-segsize=4',
  // Passwords are random, so that repeated hashing would only slow down new connections.
  '--set=scram_iterations=1',
] as const

const SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '32MB',
  wal_buffers: '1MB',
  max_wal_size: '256MB',
  min_wal_size: '16MB',
  // The table of locks takes memory for each possible connection. It still has room for 5,000 locks.
  max_locks_per_transaction: '32',
  max_pred_locks_per_transaction: '16',
  // A commit survives the end of every process, because the operating system has its WAL. fsync is for a loss of power.
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Orders the commits of captured rows (changes/round-commits.ts).
  track_commit_timestamp: 'on',
  // Notifications of all projects take 1 GB of the disk at most, not 8 GB.
  max_notify_queue_pages: '131072',
  checkpoint_timeout: '15min',
  jit: 'off',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  // Neither parallel queries nor replication nor extensions start workers, which would take memory while idle.
  max_worker_processes: '0',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '1',
  // Each project has a database, and each round of autovacuum starts a process for every database.
  autovacuum_naptime: '5min',
  scram_iterations: '1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Logs only messages about the server, but no tenants' statements and no errors of tenants.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_line_prefix: '%m ',
}

/** Settings that exist since version 18. */
const SETTINGS_SINCE_18: Readonly<Record<string, string>> = {
  io_method: 'sync',
  autovacuum_worker_slots: '1',
  // Copies of databases share blocks where the file system can. On Linux, the kernel copies the files elsewhere; other systems
  // would refuse.
  ...(platform() === 'linux' ? { file_copy_method: 'clone' } : {}),
}

export interface ServerPlaces {
  readonly cluster: string
  readonly port: number
  /** Folder of the Unix socket. Absent: the server listens on the loopback port only. */
  readonly socketFolder: string | undefined
  /** Connections of the user's programs to one project. */
  readonly clientConnections: number
}

/** Connections of the platform: the pool's connections, one listener for each of them, and the reserved ones. */
const PLATFORM_CONNECTIONS = 60
/** Projects whose programs may have all their connections open at once. */
const BUSY_PROJECTS = 4

/** Arguments of `postgres`. */
export function serverArguments(
  { clientConnections, cluster, port, socketFolder }: ServerPlaces,
  majorVersion: number,
): readonly string[] {
  const settings = {
    ...SETTINGS,
    ...(majorVersion < 18 ? {} : SETTINGS_SINCE_18),
    max_connections: String(PLATFORM_CONNECTIONS + BUSY_PROJECTS * clientConnections),
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: socketFolder ?? '',
  }
  return [
    '-D',
    cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}
