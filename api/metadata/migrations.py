"""The schema of the SQLite database, one step per release that changed it.

`PRAGMA user_version` counts the steps that were taken. A step is never edited once released.
"""

from __future__ import annotations

STEPS: tuple[str, ...] = (
    """
    CREATE TABLE documents (
        id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        name TEXT NOT NULL,
        format TEXT NOT NULL,
        media_type TEXT NOT NULL,
        size INTEGER NOT NULL,
        tracked INTEGER NOT NULL,
        author TEXT NOT NULL,
        images BLOB NOT NULL,
        ttl_seconds INTEGER NOT NULL,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        expires_at REAL NOT NULL,
        version INTEGER NOT NULL,
        next_seq INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX documents_owner ON documents (owner, created_at);
    CREATE INDEX documents_expiry ON documents (expires_at);

    CREATE TABLE versions (
        document TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        blob TEXT NOT NULL,
        size INTEGER NOT NULL,
        digest TEXT NOT NULL,
        state BLOB NOT NULL,
        back INTEGER,
        forward INTEGER,
        PRIMARY KEY (document, number)
    );

    CREATE TABLE operations (
        id TEXT PRIMARY KEY,
        document TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        owner TEXT NOT NULL,
        seq INTEGER NOT NULL,
        kind TEXT NOT NULL,
        uid TEXT NOT NULL,
        request BLOB NOT NULL,
        digest TEXT NOT NULL,
        state TEXT NOT NULL,
        attempt INTEGER NOT NULL DEFAULT 0,
        received_at REAL NOT NULL,
        started_at REAL,
        finished_at REAL,
        status INTEGER,
        body BLOB,
        final INTEGER NOT NULL DEFAULT 0,
        summary TEXT NOT NULL DEFAULT '',
        warnings BLOB NOT NULL DEFAULT '[]',
        UNIQUE (document, seq),
        UNIQUE (document, kind, uid)
    );
    CREATE INDEX operations_open ON operations (document, seq) WHERE state IN ('queued', 'running');
    CREATE INDEX operations_owner ON operations (owner) WHERE state IN ('queued', 'running');

    CREATE TABLE api_keys (
        id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        name TEXT NOT NULL,
        digest TEXT NOT NULL,
        created_at REAL NOT NULL,
        expires_at REAL,
        revoked_at REAL,
        used_on TEXT NOT NULL DEFAULT ''
    );
    CREATE TABLE presign_keys (
        id TEXT PRIMARY KEY,
        secret BLOB NOT NULL,
        created_at REAL NOT NULL,
        retired_at REAL
    );
    CREATE TABLE clock (highest REAL NOT NULL);
    INSERT INTO clock VALUES (0);
    """,
    # A failure that may pass stays in the history when its uid is tried again: one row a try.
    """
    CREATE TABLE tries (
        id TEXT PRIMARY KEY,
        document TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
        owner TEXT NOT NULL,
        seq INTEGER NOT NULL,
        kind TEXT NOT NULL,
        uid TEXT NOT NULL,
        request BLOB NOT NULL,
        digest TEXT NOT NULL,
        state TEXT NOT NULL,
        attempt INTEGER NOT NULL DEFAULT 0,
        received_at REAL NOT NULL,
        started_at REAL,
        finished_at REAL,
        status INTEGER,
        body BLOB,
        final INTEGER NOT NULL DEFAULT 0,
        summary TEXT NOT NULL DEFAULT '',
        warnings BLOB NOT NULL DEFAULT '[]',
        UNIQUE (document, seq)
    );
    INSERT INTO tries
        SELECT id, document, owner, seq, kind, uid, request, digest, state, attempt, received_at,
            started_at, finished_at, status, body, final, summary, warnings
        FROM operations;
    DROP TABLE operations;
    ALTER TABLE tries RENAME TO operations;
    CREATE INDEX operations_open ON operations (document, seq) WHERE state IN ('queued', 'running');
    CREATE INDEX operations_owner ON operations (owner) WHERE state IN ('queued', 'running');
    CREATE INDEX operations_tries ON operations (document, kind, uid, seq);
    CREATE UNIQUE INDEX operations_uid ON operations (document, kind, uid)
        WHERE final = 1 OR state IN ('queued', 'running');
    """,
    # What a model cost; null where none was asked.
    "ALTER TABLE operations ADD COLUMN spending BLOB NOT NULL DEFAULT 'null'",
    # A hold is taken over by counting up the token, and no operation ends after its deadline.
    """
    ALTER TABLE documents ADD COLUMN token INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE operations ADD COLUMN deadline REAL NOT NULL DEFAULT 0;
    UPDATE operations SET deadline = received_at + 300;
    """,
    # It refers to no other table: it outlives what it tells of.
    """
    CREATE TABLE audit (
        number INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        who TEXT NOT NULL,
        what TEXT NOT NULL,
        subject TEXT NOT NULL,
        before TEXT,
        after TEXT,
        hash TEXT NOT NULL
    );
    CREATE INDEX audit_subject ON audit (subject);
    CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END;
    CREATE TRIGGER audit_kept BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END;
    CREATE TABLE audit_salt (salt BLOB NOT NULL);
    INSERT INTO audit_salt VALUES (randomblob(32));
    """,
    # What a key may do, and what its owner may keep.
    """
    ALTER TABLE api_keys ADD COLUMN role TEXT NOT NULL DEFAULT 'edit';
    CREATE TABLE quotas (
        owner TEXT PRIMARY KEY,
        documents INTEGER NOT NULL,
        size INTEGER NOT NULL
    );
    """,
    # The key of a document goes with its row; null where it is not encrypted.
    "ALTER TABLE documents ADD COLUMN sealed_key BLOB",
)
