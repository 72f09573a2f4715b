/** What a query may name. Everything that is not listed here is refused. */

/** The tables of the session store that hold what was said and done; its bookkeeping is left out. */
export const STORE_TABLES: readonly string[] = [
  'schema_version',
  'sessions',
  'turns',
  'checkpoints',
  'session_files',
  'session_refs',
  'assistant_usage_events',
  'forge_trajectory_events',
  'forge_skill_proposals',
  'dynamic_context_items',
  'search_index',
  'reprise_sessions',
  'reprise_turns',
  'reprise_tool_calls',
  'reprise_artifacts',
  // Of a store that is fed with events (fed-store.ts).
  'events',
]

/** FTS5 reads its own tables, and itself to sort by rank, in the name of the query. */
export const SEARCH_INTERNALS: readonly string[] = [
  'search_index',
  'search_index_config',
  'search_index_content',
  'search_index_data',
  'search_index_docsize',
  'search_index_idx',
]

/** They walk a JSON text that the query itself holds. */
export const JSON_TABLES: readonly string[] = ['json_each', 'json_tree']

export const SCHEMA_TABLES: readonly string[] = ['sqlite_master', 'sqlite_schema']

/**
 * Functions that only compute. Left out: what loads code, makes blobs of any size, touches the internals of
 * full text search or of the connection, or writes to a log.
 */
export const FUNCTIONS: ReadonlySet<string> = new Set(
  [
    '-> ->> abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling char coalesce concat concat_ws',
    'cos cosh count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank',
    'exp first_value floor format glob group_concat hex highlight if ifnull iif instr json json_array',
    'json_array_length json_error_position json_extract json_group_array json_group_object json_insert',
    'json_object json_patch json_pretty json_quote json_remove json_replace json_set json_type json_valid',
    'julianday lag last_value lead length like likelihood likely ln log log10 log2 lower ltrim match max',
    'median min mod nth_value ntile nullif octet_length percent_rank percentile percentile_cont',
    'percentile_disc pi pow power printf quote radians random rank replace round row_number rtrim sign sin',
    'sinh snippet sqrt strftime string_agg substr substring sum tan tanh time timediff total trim trunc',
    'typeof unhex unicode unistr unixepoch unlikely upper',
  ].flatMap((line) => line.split(' ')),
)

/** In a session's own database: they describe tables and change nothing. */
export const SESSION_PRAGMAS: ReadonlySet<string> = new Set([
  'data_version',
  'foreign_key_list',
  'index_info',
  'index_list',
  'index_xinfo',
  'table_info',
  'table_list',
  'table_xinfo',
])
