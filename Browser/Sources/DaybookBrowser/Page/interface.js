// The types of the answers and requests, generated from the Swift types:
// DAYBOOK_UPDATE=1 swift test --package-path Browser --filter InterfaceTests

/**
 * The versions of an object, newest first: `GET /api/history?entity=Person&id=1&limit=50&before=9`.
 * @typedef {object} HistoryPage
 * @property {VersionDescription[]} versions
 * @property {number} [next] The value of `before` for the next page; nil for the last page.
 * @property {boolean} isTruncated Whether a compaction dropped the versions before the last one of the last page.
 */

/**
 * An object after one commit that changed it.
 * @typedef {object} VersionDescription
 * @property {CommitLine} commit
 * @property {string} kind `insert`, `update` or `remove`.
 * @property {ValueChange[]} changes
 */

/**
 * A property whose value changed. A side without a value is nil.
 * @typedef {object} ValueChange
 * @property {string} name
 * @property {ShownValue} [before]
 * @property {ShownValue} [after]
 */

/**
 * A commit in a list.
 * @typedef {object} CommitLine
 * @property {number} sequence
 * @property {number} microseconds The commit time, in microseconds since 1970.
 * @property {string} [author] The author of the commit, from its metadata.
 * @property {MetadataEntry[]} metadata The other metadata of the commit.
 * @property {ChangeCount[]} counts The number of changes by entity and kind; empty in the history of an object.
 */

/**
 * An entry of the metadata of a commit.
 * @typedef {object} MetadataEntry
 * @property {string} key
 * @property {string} value
 */

/**
 * The number of changes of one kind in a commit.
 * @typedef {object} ChangeCount
 * @property {string} name The entity, or the relation of links, such as `Order.customer`.
 * @property {string} kind `insert`, `update`, `remove`, `event`, `link` or `unlink`.
 * @property {number} count
 */

/**
 * The commits before a sequence, newest first; `kind` is a kind of ``ChangeCount``, or `put` for inserts and updates: `GET /api/commits?before=100&limit=50&entity=Person&author=Ann&kind=update`.
 * @typedef {object} CommitPage
 * @property {CommitLine[]} commits
 * @property {number} [next] The value of `before` for the next page; nil for the last page.
 */

/**
 * One commit with its first changes: `GET /api/commit?sequence=42`.
 * @typedef {object} CommitDescription
 * @property {CommitLine} commit
 * @property {ObjectChangeDescription[]} objects
 * @property {LinkChangeDescription[]} links
 * @property {boolean} hasMore Whether the commit has more changes than these.
 */

/**
 * A change of an object, or an event.
 * @typedef {object} ObjectChangeDescription
 * @property {string} entity
 * @property {string} id
 * @property {string} kind `insert`, `update`, `remove` or `event`.
 * @property {ValueChange[]} changes
 */

/**
 * An added or removed link.
 * @typedef {object} LinkChangeDescription
 * @property {string} relation The relation with its entity, such as `Order.customer`.
 * @property {boolean} isAdded
 * @property {string} sourceEntity
 * @property {string} source
 * @property {string} targetEntity
 * @property {string} target
 */

/**
 * The objects of an entity that differ between two moments: `GET /api/compare?entity=Person&from=10&to=42&limit=100`.
 * @typedef {object} Comparison
 * @property {number} inserted
 * @property {number} updated
 * @property {number} removed
 * @property {ObjectChangeDescription[]} objects The first differences, in the order of ids.
 * @property {boolean} hasMore Whether there are more differences than these.
 */

/**
 * The bytes of the log by their use for the present state: the result of `GET /api/measurement`.
 * @typedef {object} MeasurementDescription
 * @property {number} sequence The commit whose state decides which records are live.
 * @property {MeasuredBytes} total
 * @property {MeasuredSegment[]} segments The segments, oldest first.
 * @property {CompactionLine[]} compactions The compactions that dropped history, oldest first.
 */

/**
 * The lengths of records before compression, in bytes.
 * @typedef {object} MeasuredBytes
 * @property {number} live The newest versions of objects, the links that exist, and events.
 * @property {number} superseded The older versions of objects that exist, and the earlier records of links that exist.
 * @property {number} removed The records of removed objects and links.
 * @property {number} other Commits, layouts and notes of compactions.
 */

/**
 * A segment with the lengths of its records.
 * @typedef {object} MeasuredSegment
 * @property {number} number
 * @property {MeasuredBytes} bytes
 */

/**
 * A compaction that dropped history.
 * @typedef {object} CompactionLine
 * @property {number} sequence The commit that notes the compaction.
 * @property {number} microseconds The commit time, in microseconds since 1970.
 * @property {string} policy `everything`, `since`, `versions` or `latest`.
 * @property {number} historyFloor The first sequence with a complete state after the compaction.
 */

/**
 * The file of an export: the result of `GET /api/export`.
 * @typedef {object} ExportDescription
 * @property {string} ticket The parameter of `GET /api/export-file`, which returns the file once.
 * @property {number} rows
 * @property {number} bytes
 */

/**
 * One object: `GET /api/object?entity=Person&id=1&at=42`.
 * @typedef {object} ObjectDescription
 * @property {string} entity
 * @property {string} id The id, as decimal digits, because JavaScript rounds large integers.
 * @property {number} sequence The commit that wrote this version.
 * @property {NamedValue[]} properties The values by property, in the order of the layout.
 * @property {LinkedObjects[]} relations The targets of each relation.
 * @property {LinkedObjects[]} backlinks The objects that link to this one, by relation.
 */

/**
 * The value of a property.
 * @typedef {object} NamedValue
 * @property {string} name
 * @property {ShownValue} value
 */

/**
 * The ids at the other end of a relation, or of a backlink.
 * @typedef {object} LinkedObjects
 * @property {string} name The name of the relation; for a backlink, the relation of `entity`.
 * @property {string} entity The entity of the objects.
 * @property {string[]} ids The first ids, as decimal digits.
 * @property {string[]} keys The keys of a map of objects, in the order of `ids`; empty for other relations.
 * @property {number} [count] The number of all linked objects; nil if there are more than the page counts.
 */

/**
 * A part of the objects of an entity in the order of their ids: `GET /api/objects?entity=Person&after=0&limit=100&at=42`.
 * @typedef {object} ObjectPage
 * @property {string[]} columns The names of the values, in the order of the values of each row.
 * @property {ObjectLine[]} rows
 * @property {string} [next] The value of `after` for the next page; nil for the last page.
 * @property {number} count The number of all objects of the entity at that moment.
 */

/**
 * An object in a table, or a row of selected values.
 * @typedef {object} ObjectLine
 * @property {string} [id] The id; nil for a row of selected values.
 * @property {ShownValue[]} values The values, in the order of the columns. Relations with one target are `Entity:id`.
 */

/**
 * The result of a query: `GET /api/query?text=Person%20where%20age%20%3E%2018&limit=100&at=42`.
 * @typedef {object} QueryResult
 * @property {string} entity The entity of the objects.
 * @property {boolean} areObjects Whether the rows are objects. Otherwise they are selected values, totals or groups.
 * @property {string[]} columns
 * @property {ObjectLine[]} rows
 * @property {boolean} hasMore Whether there are more rows than `limit`.
 */

/**
 * A step of the plan of a query: `GET /api/plan?text=…&at=42`.
 * @typedef {object} PlanStep
 * @property {string} text The step in words.
 * @property {string} [index] The index that it uses.
 * @property {number} [estimate] The expected number of objects.
 * @property {number} [found] The number of objects that it found.
 * @property {PlanStep[]} steps
 */

/**
 * A value as the page shows it. The text is cut off after some thousand characters, so that a page of objects is small whatever a store contains.
 * @typedef {object} ShownValue
 * @property {string} kind `null`, `bool`, `integer`, `number`, `decimal`, `text`, `bytes`, `uuid`, `date`, `list` or `map`; `link` for the target of a relation in a table, as `Entity:id`.
 * @property {string} text The value as a field of a CSV file has it: dates in RFC 3339 and UTC, lists and maps as JSON. Bytes as hexadecimal digits. Empty for null.
 * @property {number} [length] The length of the whole value if `text` is cut off: bytes for bytes and strings, elements for lists and maps.
 * @property {string} [image] The media type of bytes that are an image the page can show: `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
 */

/**
 * The store as a whole: `GET /api/store`.
 * @typedef {object} StoreDescription
 * @property {string} path The path of the store's directory.
 * @property {string} identity The identity of the store, the same as in its manifest.
 * @property {Moment} [newest] The newest commit; nil in an empty store.
 * @property {Moment} [oldest] The oldest commit of the log; nil in an empty store.
 * @property {number} historyFloor The first sequence whose state can be shown; 0 if the history is complete.
 * @property {boolean} allowsWrites Whether the page may change the store.
 * @property {EntityDescription[]} entities The entities in the order of their creation.
 */

/**
 * A commit by its sequence and time.
 * @typedef {object} Moment
 * @property {number} sequence
 * @property {number} microseconds The commit time, in microseconds since 1970.
 */

/**
 * An entity with its newest layout, and the number of its objects at the chosen moment.
 * @typedef {object} EntityDescription
 * @property {string} name
 * @property {string} kind `object`, `event` or `embedded`.
 * @property {number} [count] The number of objects; nil for events and embedded types.
 * @property {PropertyDescription[]} properties
 * @property {RelationDescription[]} relations
 * @property {BacklinkDescription[]} backlinks
 * @property {IndexDescription[]} indexes
 * @property {string[]} [primaryKey] The properties of the primary key; nil if there is none.
 */

/**
 * A property with values.
 * @typedef {object} PropertyDescription
 * @property {string} name
 * @property {string} type The type, such as `list<string?>`.
 * @property {boolean} isOptional
 */

/**
 * A relation of an entity.
 * @typedef {object} RelationDescription
 * @property {string} name
 * @property {string} kind `toOne`, `toMany`, `list` or `map`.
 * @property {string} target The name of the target entity.
 */

/**
 * A relation of another entity whose target is this one.
 * @typedef {object} BacklinkDescription
 * @property {string} entity
 * @property {string} relation
 */

/**
 * An index of an entity.
 * @typedef {object} IndexDescription
 * @property {string[]} properties
 * @property {string} kind `value`, `hash`, `words` or `caseInsensitive`.
 * @property {boolean} isUnique
 */

/**
 * A change of the layout of an entity: `GET /api/schema-history` has all of them, oldest first.
 * @typedef {object} SchemaChangeLine
 * @property {number} sequence The commit of the change.
 * @property {number} microseconds The commit time, in microseconds since 1970.
 * @property {string} entity The name of the entity after the change.
 * @property {string[]} differences The differences in words, such as `added property age: int64`.
 */

/**
 * The files of the store: `GET /api/statistics`.
 * @typedef {object} StoreReport
 * @property {number} createdMicroseconds
 * @property {number} formatVersion
 * @property {number} generation
 * @property {SegmentDescription[]} segments
 * @property {SnapshotDescription[]} snapshots
 * @property {FileDescription[]} quarantine The names of the files in quarantine, with their lengths.
 * @property {FileDescription[]} bytesByKind The lengths of all files by kind: `segments`, `snapshots`, `manifests`, `quarantine`, `other`.
 * @property {number} logRawBytes The length of all records before compression, in bytes.
 * @property {ConsumerDescription[]} consumers The named consumers, by name.
 */

/**
 * A named consumer of changes.
 * @typedef {object} ConsumerDescription
 * @property {string} name
 * @property {number} [sequence] The last acknowledged commit; nil if the position cannot be used.
 * @property {number} [microseconds] The time of that commit, in microseconds since 1970; nil if no such commit remains.
 * @property {number} lag The number of later commits.
 * @property {number} lagBytes The length of the log after the position, in bytes, to about 64 KiB.
 * @property {string} [problem] The reason why the position cannot be used.
 */

/**
 * A segment of the log.
 * @typedef {object} SegmentDescription
 * @property {number} number
 * @property {string} state `active`, `sealed` or `compressed`.
 * @property {number} firstSequence
 * @property {number} lastSequence
 * @property {number} bytes
 * @property {number} rawBytes The length of the records before compression, in bytes.
 * @property {number} records
 */

/**
 * A file with a snapshot of the indexes.
 * @typedef {object} SnapshotDescription
 * @property {number} sequence
 * @property {number} bytes
 * @property {boolean} isBase
 * @property {string} [rejection] The reason why the snapshot is unusable; nil for a usable one.
 */

/**
 * A file, or a kind of files, with its length.
 * @typedef {object} FileDescription
 * @property {string} name
 * @property {number} bytes
 */

/**
 * The result of `GET /api/verification`.
 * @typedef {object} VerificationDescription
 * @property {boolean} isSound
 * @property {string[]} lines What the verification checked, and the damage that it found, one line each.
 */

/**
 * An answer other than 200.
 * @typedef {object} Problem
 * @property {string} code The code of the error, such as `invalidArgument`, `historyTruncated` or `corruption`.
 * @property {string} message The error with its remedy.
 * @property {number} [offset] The place of an error in a query: the offset of the character, from 0.
 */

/**
 * The answer to a change: `POST /api/put`, `/api/remove`, `/api/undo` and `/api/restore`.
 * @typedef {object} WriteResult
 * @property {number} sequence The commit of the change.
 * @property {string} [id] The id of the object; nil for an undo of a commit.
 */

/**
 * The progress of a long request: `GET /api/verification`, `/api/measurement` and `/api/export`. The answer is a line of JSON for each progress, `{"progress": …}`, and a last one, which is `{"result": …}` or `{"problem": …}`. The work ends early if the page closes the connection.
 * @typedef {object} WorkProgress
 * @property {number} [fraction] The completed part, 0 to 1; nil if nobody knows how much is left.
 * @property {number} done The bytes of the log, or the rows, that are done.
 * @property {number} seconds The time since the begin of the work.
 */

/**
 * A new object, or new values of an existing one: the body of `POST /api/put`.
 * @typedef {object} PutRequest
 * @property {string} entity
 * @property {string} [id] The id, as decimal digits; nil for a new object.
 * @property {WrittenValue[]} values The properties to set. The others keep their values.
 * @property {string} [author] The author of the commit.
 */

/**
 * The new value of a property.
 * @typedef {object} WrittenValue
 * @property {string} name
 * @property {string} [text] The value in the form of ``ShownValue/text``, parsed by the type of the property; nil for null.
 */

/**
 * The body of `POST /api/remove`.
 * @typedef {object} RemoveRequest
 * @property {string} entity
 * @property {string} id The id, as decimal digits.
 * @property {string} [author]
 */

/**
 * The body of `POST /api/undo`, which reverses a commit.
 * @typedef {object} UndoRequest
 * @property {number} sequence
 * @property {string} [author]
 */

/**
 * The body of `POST /api/restore`, which stores the values that an object had after a commit.
 * @typedef {object} RestoreRequest
 * @property {string} entity
 * @property {string} id The id, as decimal digits.
 * @property {number} sequence
 * @property {string} [author]
 */

/**
 * The body of `POST /api/session`.
 * @typedef {object} SessionRequest
 * @property {string} token The token that the command printed.
 */

export {};
