/** Generated from openapi.json. */
export interface paths {
    "/api/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What charts are drawn from: turns and use of models by day, and files */
        get: operations["get_activity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who can answer here */
        get: operations["get_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/board": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is on the board, and what sessions propose for it */
        get: operations["get_board"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/board/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts a note on the board */
        post: operations["post_board_add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/board/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Puts proposals on the board, or dismisses them for good */
        post: operations["post_board_decide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/board/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Takes notes off the board */
        post: operations["post_board_remove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chronicle/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A report over all sessions */
        get: operations["get_chronicle_kind"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sessions that wait for a person, work, or ended lately */
        get: operations["get_inbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inbox/left": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens the sessions that were open when their process died, or leaves them */
        post: operations["post_inbox_left"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a link that logs another browser in */
        post: operations["post_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives the cookie for the code of a link: once for the owner's, until it expires for a guest's */
        post: operations["post_login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Models that can be asked for */
        get: operations["get_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Folders that sessions worked in, the last one first */
        get: operations["get_projects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Searches everything that was said and done */
        get: operations["get_search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this server is */
        get: operations["get_server"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sessions, the nearest to the directory of the server first, then the newest */
        get: operations["get_sessions"];
        put?: never;
        /** Makes a session */
        post: operations["post_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is known of a session */
        get: operations["get_sessions_id"];
        put?: never;
        post?: never;
        /** Moves it to the trash, or with `now` deletes it for good */
        delete: operations["delete_sessions_id"];
        options?: never;
        head?: never;
        /** Changes its name, its mode, who answers; what is not named stays */
        patch: operations["patch_sessions_id"];
        trace?: never;
    };
    "/api/sessions/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a request for permission. */
        post: operations["post_sessions_id_answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/answer-question": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a question of the agent; without an answer the question is declined. */
        post: operations["post_sessions_id_answer_question"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/blame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which turn of any session wrote a line of the project */
        get: operations["get_sessions_id_blame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/blobs/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Content that was too bulky for the log, as an attachment */
        get: operations["get_sessions_id_blobs_sha256"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop the running turn. */
        post: operations["post_sessions_id_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the files that changed, as far as it was recorded. */
        get: operations["get_sessions_id_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/changes/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one changed file, before and after. */
        get: operations["get_sessions_id_changes_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Its checkpoints */
        get: operations["get_sessions_id_checkpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/checkpoints/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a checkpoint. */
        get: operations["get_sessions_id_checkpoints_number"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/command": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs a command, as it is typed behind a slash */
        post: operations["post_sessions_id_command"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Commands that can be typed in a session; with `agent=true` those of its agent too */
        get: operations["get_sessions_id_commands"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/compact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Put a summary in the place of earlier messages, for the model only. */
        post: operations["post_sessions_id_compact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much a model is given of it, in estimated tokens */
        get: operations["get_sessions_id_context"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Moves it to the trash */
        post: operations["post_sessions_id_delete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a page of events, from either end. */
        get: operations["get_sessions_id_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The session as one redacted file, as an attachment */
        get: operations["get_sessions_id_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the session's own files. */
        get: operations["get_sessions_id_files"];
        put?: never;
        /** Write one of the session's own files. */
        post: operations["post_sessions_id_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/files/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The bytes of one file, as an attachment */
        get: operations["get_sessions_id_files_content"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a text stands in the transcript */
        get: operations["get_sessions_id_find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make another session with the same beginning. */
        post: operations["post_sessions_id_fork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/forks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tree of forks that it belongs to, from the first session down */
        get: operations["get_sessions_id_forks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/guest-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a link with which others watch it, read-only and without secrets */
        post: operations["post_sessions_id_guest_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/mode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose the mode: interactive, plan or autopilot. */
        post: operations["post_sessions_id_mode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose the model that answers from the next message on. */
        post: operations["post_sessions_id_model"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/agentOptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List what can be chosen in the agent itself. */
        post: operations["post_sessions_id_operations_agentOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a request for permission. */
        post: operations["post_sessions_id_operations_answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/answerQuestion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a question of the agent; without an answer the question is declined. */
        post: operations["post_sessions_id_operations_answerQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/askAside": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the agent something beside the conversation. */
        post: operations["post_sessions_id_operations_askAside"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop the running turn. */
        post: operations["post_sessions_id_operations_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/canvases.record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open a panel beside it. */
        post: operations["post_sessions_id_operations_canvases_record"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/canvases.remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Close a panel beside it. */
        post: operations["post_sessions_id_operations_canvases_remove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/changedFile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read one changed file, before and after. */
        post: operations["post_sessions_id_operations_changedFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/changeQueue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change what waits: edit, move, remove, clear, send now, hold or release. */
        post: operations["post_sessions_id_operations_changeQueue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List the files that changed, as far as it was recorded. */
        post: operations["post_sessions_id_operations_changes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List its checkpoints. */
        post: operations["post_sessions_id_operations_checkpoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/clearContext": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Have the model begin anew with one message. */
        post: operations["post_sessions_id_operations_clearContext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/clientMetadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read the notes of programs. */
        post: operations["post_sessions_id_operations_clientMetadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/compact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Put a summary in the place of earlier messages, for the model only. */
        post: operations["post_sessions_id_operations_compact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/contextAt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell what the model was given in a turn, or would be given now, item by item. */
        post: operations["post_sessions_id_operations_contextAt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/contextItem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read one item of the context with its words. */
        post: operations["post_sessions_id_operations_contextItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/contextParts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell what fills the window of the model. */
        post: operations["post_sessions_id_operations_contextParts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/contextSize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Estimate how many tokens a model is given. */
        post: operations["post_sessions_id_operations_contextSize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/continueWork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on with a turn that a process left waiting when it ended. */
        post: operations["post_sessions_id_operations_continueWork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/createFolder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a folder in it. */
        post: operations["post_sessions_id_operations_createFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/deletePlan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove the plan. */
        post: operations["post_sessions_id_operations_deletePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/editContext": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Leave an item of the context out, or give it again. */
        post: operations["post_sessions_id_operations_editContext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read a page of events, from either end. */
        post: operations["post_sessions_id_operations_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List the session's own files. */
        post: operations["post_sessions_id_operations_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make another session with the same beginning. */
        post: operations["post_sessions_id_operations_fork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/guidance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List instruction files, custom agents and skills, as they count now. */
        post: operations["post_sessions_id_operations_guidance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell its name, project and times. */
        post: operations["post_sessions_id_operations_metadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell lines of code, time and tokens. */
        post: operations["post_sessions_id_operations_metrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/moveTo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move it to another directory. */
        post: operations["post_sessions_id_operations_moveTo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/nameByDefault": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Name it, unless a person has. */
        post: operations["post_sessions_id_operations_nameByDefault"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record a remark of a program. */
        post: operations["post_sessions_id_operations_note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List what waits for a person. */
        post: operations["post_sessions_id_operations_pending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell the mode, the rules and what was allowed in this process. */
        post: operations["post_sessions_id_operations_permissions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/previewRewind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell what a rewind would take away, and what would become of files. */
        post: operations["post_sessions_id_operations_previewRewind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List the messages that wait. */
        post: operations["post_sessions_id_operations_queue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/readCheckpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read a checkpoint. */
        post: operations["post_sessions_id_operations_readCheckpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/readFile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read one of the session's own files. */
        post: operations["post_sessions_id_operations_readFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/readPlan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read the plan. */
        post: operations["post_sessions_id_operations_readPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/recordHandoff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record where it came over from. */
        post: operations["post_sessions_id_operations_recordHandoff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/redo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring back what the last rewind took away. */
        post: operations["post_sessions_id_operations_redo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/removePath": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Remove files of it. */
        post: operations["post_sessions_id_operations_removePath"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Name it. */
        post: operations["post_sessions_id_operations_rename"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/renamePath": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rename files of it. */
        post: operations["post_sessions_id_operations_renamePath"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/restoreFile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Put one file of the project back to before a turn. */
        post: operations["post_sessions_id_operations_restoreFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take back what was allowed. */
        post: operations["post_sessions_id_operations_revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/rewind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take an event and all after it away; a redo brings it back. */
        post: operations["post_sessions_id_operations_rewind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/rewindPoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List the messages that can be gone back to, newest first. */
        post: operations["post_sessions_id_operations_rewindPoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/rewoundBranches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List what rewinds took away and a fork can bring back, newest first. */
        post: operations["post_sessions_id_operations_rewoundBranches"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/schedules.add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a prompt for later in it. */
        post: operations["post_sessions_id_operations_schedules_add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/schedules.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List the prompts that are sent later. */
        post: operations["post_sessions_id_operations_schedules_list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/schedules.rearm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the next time of a self-paced prompt in it. */
        post: operations["post_sessions_id_operations_schedules_rearm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/schedules.stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take a scheduled prompt of it back. */
        post: operations["post_sessions_id_operations_schedules_stop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/selectAgent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Have a custom agent answer from the next message on; without a name, the usual one. */
        post: operations["post_sessions_id_operations_selectAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message; while a turn runs it is refused, waits, or joins the turn. */
        post: operations["post_sessions_id_operations_send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/setMode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose the mode: interactive, plan or autopilot. */
        post: operations["post_sessions_id_operations_setMode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/setModel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose the model that answers from the next message on. */
        post: operations["post_sessions_id_operations_setModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/setSteerable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record whether people may act in it from afar. */
        post: operations["post_sessions_id_operations_setSteerable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell its state: turns, usage, model, mode, project. */
        post: operations["post_sessions_id_operations_state"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/statPath": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Look at a path in its folder. */
        post: operations["post_sessions_id_operations_statPath"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/summariseForHandoff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write what a person who goes on elsewhere should know. */
        post: operations["post_sessions_id_operations_summariseForHandoff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/switchGuidance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Leave an instruction file or a skill out from the next message on, or give it again. */
        post: operations["post_sessions_id_operations_switchGuidance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/tasks.cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a sub-agent of it. */
        post: operations["post_sessions_id_operations_tasks_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/tasks.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Wait for its sub-agents. */
        post: operations["post_sessions_id_operations_tasks_ended"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/tasks.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List its sub-agents. */
        post: operations["post_sessions_id_operations_tasks_list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/tasks.message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Speak with a sub-agent of it. */
        post: operations["post_sessions_id_operations_tasks_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/tasks.progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell the steps of a sub-agent. */
        post: operations["post_sessions_id_operations_tasks_progress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/tasks.promote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a sub-agent of it to the background. */
        post: operations["post_sessions_id_operations_tasks_promote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/tasks.start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a sub-agent to work in it. */
        post: operations["post_sessions_id_operations_tasks_start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take back the last turns, and their files. */
        post: operations["post_sessions_id_operations_undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/updateClientMetadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keep notes of programs in it. */
        post: operations["post_sessions_id_operations_updateClientMetadata"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell tokens, requests and cost, with what turns used that were taken back. */
        post: operations["post_sessions_id_operations_usage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/workspaceFile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read its workspace.yaml. */
        post: operations["post_sessions_id_operations_workspaceFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/writeFile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write one of the session's own files. */
        post: operations["post_sessions_id_operations_writeFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/operations/writePlan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write the plan. */
        post: operations["post_sessions_id_operations_writePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/pictures/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A picture of a message or a result, as one */
        get: operations["get_sessions_id_pictures_sha256"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the plan. */
        get: operations["get_sessions_id_plan"];
        put?: never;
        /** Writes or removes the plan */
        post: operations["post_sessions_id_plan"];
        /** Remove the plan. */
        delete: operations["delete_sessions_id_plan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change what waits: edit, move, remove, clear, send now, hold or release. */
        post: operations["post_sessions_id_queue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/queue/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Change what waits: edit, move, remove, clear, send now, hold or release. */
        delete: operations["delete_sessions_id_queue_messageId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/redo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring back what the last rewind took away. */
        post: operations["post_sessions_id_redo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Name it. */
        post: operations["post_sessions_id_rename"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Brings it back from the trash */
        post: operations["post_sessions_id_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/restore-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Put one file of the project back to before a turn. */
        post: operations["post_sessions_id_restore_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/rewind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take an event and all after it away; a redo brings it back. */
        post: operations["post_sessions_id_rewind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/rewind-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tell what a rewind would take away, and what would become of files. */
        get: operations["get_sessions_id_rewind_preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a message */
        post: operations["post_sessions_id_send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events after Last-Event-ID or ?after=, then ready, then what happens, as server-sent events */
        get: operations["get_sessions_id_stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page of whole turns as people read them: from the end, beside or around a place */
        get: operations["get_sessions_id_transcript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where it can be rewound to, newest first */
        get: operations["get_sessions_id_turns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take back the last turns, and their files. */
        post: operations["post_sessions_id_undo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reads the session store with one statement of SQL */
        post: operations["post_sql"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sql/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tables that a query may read */
        get: operations["get_sql_schema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** That something changed in any session, whichever process did it, as server-sent events */
        get: operations["get_stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream/follow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds a session to an open stream: what follows `after`, then what happens */
        post: operations["post_stream_follow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream/unfollow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Leaves a session out of an open stream */
        post: operations["post_stream_unfollow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deleted sessions that can be restored */
        get: operations["get_trash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tokens and money by model, day and repository */
        get: operations["get_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ActivityAnswer: {
            days: {
                day: string;
                turns: number;
            }[];
            files: {
                path: string;
                sessions: number;
            }[];
            repository?: string;
            since: string;
            until: string;
            uses: {
                day: string;
                dollars: number | null;
                model: string;
                tokens: number;
            }[];
            zone?: string;
        };
        ActivityFrame: {
            data: {
                streamId: string;
            };
            /** @constant */
            event: "ready";
        } | {
            data: Record<string, never>;
            /** @constant */
            event: "beat";
        } | {
            data: {
                frame: components["schemas"]["StreamFrame"];
                key: string;
            };
            /** @constant */
            event: "session";
        } | {
            data: {
                id: string;
                /** @enum {string} */
                kind: "records" | "reset" | "deleted" | "restored" | "forked" | "imported" | "renamed" | "status";
                status: components["schemas"]["SessionStatus"];
            };
            /** @constant */
            event: "changed";
        };
        AgentsAnswer: {
            agents: {
                about: string;
                name: string;
            }[];
            usual?: string;
        };
        BlameAnswer: {
            alongside?: string[];
            at: string;
            eventId: string;
            /** @constant */
            kind: "turn";
            prompt: string;
            sessionId: string;
            sessionName?: string;
            toolCallId: string;
        } | {
            /** @constant */
            kind: "unknown";
            reason: string;
        };
        BoardAnswer: {
            entries: {
                addedAt: string;
                branch: string;
                changedAt: string;
                content: string;
                count: number;
                description: string;
                name: string;
                readAt?: string;
                readCount: number;
                repository: string;
                sessions?: string[];
                src: string;
            }[];
            proposals: {
                branch: string;
                content: string;
                description: string;
                id: string;
                name: string;
                proposedAt: string;
                repository: string;
                sessions: string[];
                src: string;
            }[];
        };
        CancelledAnswer: {
            cancelled: boolean;
        };
        ChangedFileAnswer: {
            after: {
                /** @constant */
                kind: "text";
                sha256: string;
                text: string;
            } | {
                /** @constant */
                kind: "binary";
                sha256: string;
                size: number;
            } | {
                /** @constant */
                kind: "link";
                target: string;
            } | {
                /** @constant */
                kind: "absent";
            } | {
                /** @constant */
                kind: "unknown";
                why: string;
            };
            before: {
                /** @constant */
                kind: "text";
                sha256: string;
                text: string;
            } | {
                /** @constant */
                kind: "binary";
                sha256: string;
                size: number;
            } | {
                /** @constant */
                kind: "link";
                target: string;
            } | {
                /** @constant */
                kind: "absent";
            } | {
                /** @constant */
                kind: "unknown";
                why: string;
            };
            told?: {
                diff: string;
                eventId: string;
                prompt: string;
            }[];
        };
        ChangesAnswer: {
            files: {
                /** @enum {string} */
                change: "created" | "modified" | "deleted";
                /** @constant */
                isBinary?: true;
                /** @constant */
                isTold?: true;
                linesAdded: number;
                linesRemoved: number;
                /** @enum {string} */
                of: "project" | "session";
                path: string;
                /** @enum {string} */
                verdict?: "restore" | "already" | "drifted" | "notCovered";
            }[];
            origin?: string;
        };
        CheckpointAnswer: {
            text: string;
        };
        CheckpointsAnswer: {
            checkpoints: {
                number: number;
                title: string;
            }[];
        };
        CommandAnswer: {
            message?: string;
            result: unknown;
            said: string;
        };
        CommandsAnswer: {
            commands: {
                aliases: string[];
                hint: string;
                name: string;
                summary: string;
                words: {
                    meaning: string;
                    word: string;
                }[];
            }[];
        };
        CompactedAnswer: {
            checkpointNumber: number;
            checkpointPath: string;
            messagesRemoved: number;
            tokensAfter: number;
            tokensBefore: number;
        };
        ContextAnswer: {
            limit?: number;
            messages: number;
            used: number;
        };
        CreatedAnswer: {
            sessionId: string;
        };
        DeletedAnswer: {
            bytes: number;
            /** @enum {string} */
            outcome: "trashed" | "deleted";
        };
        Error: {
            error: {
                /** @enum {unknown} */
                code: "not_found" | "ambiguous" | "invalid" | "in_use" | "unreachable" | "waits" | "busy" | "conflict" | "expired" | "corrupt" | "legacy" | "not_durable" | "cancelled" | "internal" | "unauthorized" | "forbidden" | "too_large" | "unsupported_media_type" | "method_not_allowed" | "unavailable";
                details: Record<string, never>;
                message: string;
            };
        };
        EventsAnswer: {
            events: components["schemas"]["LogEvent"][];
            findings: unknown[];
            more: boolean;
        };
        FilesAnswer: {
            files: {
                mtimeMs: number;
                path: string;
                size: number;
            }[];
        };
        FindAnswer: {
            hits: {
                eventId: string;
                kind: string;
                snippet: {
                    end: number;
                    start: number;
                    text: string;
                };
                toolCallId?: string;
            }[];
            more: boolean;
        };
        ForkedAnswer: {
            events: number;
            name: string;
            sessionId: string;
            source: string;
            sourceNoted: boolean;
        };
        ForksAnswer: {
            lost?: string;
            sessions: {
                depth: number;
                forkedFrom?: string;
                id: string;
                modifiedAt: string;
                status: components["schemas"]["SessionStatus"];
                title: string;
                turns?: number;
            }[];
        };
        GuestLinkAnswer: {
            expiresAt: string;
            link: string;
        };
        InboxAnswer: {
            items: {
                asks: ({
                    always?: string;
                    answerable: boolean;
                    body: string;
                    /** @constant */
                    kind: "permission";
                    requestId: string;
                    what: string;
                } | {
                    choices: string[];
                    /** @constant */
                    kind: "question";
                    requestId: string;
                    what: string;
                })[];
                branch?: string;
                cwd?: string;
                id: string;
                modifiedAt: string;
                repository?: string;
                text: string;
                title: string;
                /** @enum {string} */
                why: "left" | "waits" | "works" | "failed" | "stopped" | "finished";
            }[];
        };
        LinkAnswer: {
            link: string;
        };
        /** @description An event of the log, as it is stored: schema/events.schema.json. `stranger`: of a type that is not known. */
        LogEvent: {
            data: unknown;
            id: string;
            parentId: string | null;
            timestamp: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        LoginAnswer: {
            guestOf?: string;
            /** @constant */
            ok: true;
        };
        Metadata: {
            agent?: string;
            branch?: string;
            bytes: number;
            checkpoints: number;
            clientName?: string;
            createdAt: string;
            cwd?: string;
            folderBytes: number;
            forkCount: number;
            forkedFrom?: string;
            gitRoot?: string;
            holder?: {
                host: string;
                label: string;
                pid: number;
                since: string;
            };
            id: string;
            importedFrom?: string;
            modifiedAt: string;
            name?: string;
            path?: string;
            person?: string;
            repository?: string;
            rewound: number;
            summary: string;
            turns?: number;
            userNamed: boolean;
        };
        ModelsAnswer: {
            models: {
                /** @enum {string} */
                from: "configured" | "offered" | "used";
                name: string;
            }[];
            trouble?: string;
        };
        OkAnswer: {
            /** @constant */
            ok: true;
        };
        OperationAnswer: {
            result: unknown;
        };
        PendingQuestion: {
            choices?: string[];
            question: string;
            requestId: string;
            toolCallId?: string;
        };
        PendingRequest: {
            answerable: boolean;
            event: components["schemas"]["RequestEvent"];
            requestId: string;
        };
        PlanAnswer: {
            text: string | null;
        };
        ProjectsAnswer: {
            projects: {
                at: string;
                branch?: string;
                cwd: string;
                repository?: string;
                sessions: number;
            }[];
        };
        QueueEntry: {
            id: string;
            prompt: string;
        };
        RedoneAnswer: {
            eventsRestored: number;
            foreignFiles?: string[];
            /** @constant */
            isRecordDamaged?: true;
            removedFiles?: string[];
            removedFolders?: string[];
            restoredFiles: string[];
            root?: string;
            sessionId: string;
            skippedFiles: {
                path: string;
                reason: string;
            }[];
        };
        RenamedAnswer: {
            name: string;
        };
        ReportAnswer: {
            json: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            kind: "standup" | "tips" | "improve" | "cost";
            markdown: string;
        };
        /** @description The event `permission.requested`. */
        RequestEvent: {
            data: unknown;
            id: string;
            parentId: string | null;
            timestamp: string;
            type: string;
        } & {
            [key: string]: unknown;
        };
        RestoredAnswer: {
            sessionId: string;
        };
        RestoredFileAnswer: {
            /** @enum {string} */
            outcome: "restored" | "already";
            path: string;
        };
        RewindPreviewAnswer: {
            at: string;
            bytesRemoved: number;
            checkpointsRemoved: number;
            eventId: string;
            eventsKept: number;
            eventsRemoved: number;
            files: {
                absolutePath: string;
                /** @enum {string} */
                change: "created" | "modified" | "deleted";
                linesAdded: number;
                linesRemoved: number;
                /** @enum {string} */
                of: "project" | "session";
                path: string;
                /** @enum {string} */
                verdict: "restore" | "already" | "drifted" | "notCovered";
            }[];
            prompt: string;
            turnsRemoved: number;
        };
        RewoundAnswer: {
            at: string;
            bytesRemoved: number;
            checkpointsRemoved: number;
            eventId: string;
            eventsKept: number;
            eventsRemoved: number;
            filesUnrecorded: boolean;
            foreignFiles?: string[];
            /** @constant */
            isRecordDamaged?: true;
            /** @enum {string} */
            mode: "conversation" | "conversation-and-files" | "files";
            prompt: string;
            removedFiles?: string[];
            removedFolders?: string[];
            restoredFiles: string[];
            root?: string;
            sessionId: string;
            skippedFiles: {
                path: string;
                reason: string;
            }[];
            turnsRemoved: number;
        };
        SearchAnswer: {
            hits: {
                at: string;
                branch?: string;
                name: string;
                repository?: string;
                /** @enum {string} */
                role: "user" | "assistant" | "tool" | "checkpoint" | "file" | "name";
                score: number;
                sessionId: string;
                snippet: {
                    isCut: {
                        after: boolean;
                        before: boolean;
                    };
                    ranges: {
                        end: number;
                        start: number;
                    }[];
                    text: string;
                };
                source: string;
                turn?: number;
            }[];
            isLoose?: boolean;
            isPartial: boolean;
            meaning?: {
                failed?: string;
                missing?: number;
                model: string;
            };
            suggestions: {
                instead: string[];
                word: string;
            }[];
        };
        SentAnswer: {
            error?: string;
            messageId?: string;
            /** @enum {string} */
            status: "accepted" | "queued" | "steered" | "completed" | "cancelled" | "failed" | "withdrawn";
            turnId?: string;
        };
        ServerAnswer: {
            cwd?: string;
            guest?: {
                expiresAt: string;
                sessionId: string;
            };
            hasStore: boolean;
            home?: string;
            team?: {
                name: string;
                person: string;
                role: string;
                scopes: string[];
            };
            version: string;
        };
        SessionAnswer: {
            answers: {
                agent?: string;
                model?: string;
            };
            dollars: number | null;
            isQueueHeld: boolean;
            metadata: components["schemas"]["Metadata"];
            questions: components["schemas"]["PendingQuestion"][];
            queue: components["schemas"]["QueueEntry"][];
            queueTrouble?: string;
            remote?: {
                isLate: boolean;
                text: string;
            };
            requests: components["schemas"]["PendingRequest"][];
            /** @description What the session is now. `GET …/turns` gives its turns. */
            state: {
                eventCount: number;
                mode: string;
                size: number;
                turnCount: number;
            } & {
                [key: string]: unknown;
            };
            status: components["schemas"]["SessionStatus"];
            /** @description Tokens and premium requests, in all, for each model, and apart in turns that were taken back. */
            usage: {
                cost: number;
                inputTokens: number;
                models: ({
                    model: string;
                } & {
                    [key: string]: unknown;
                })[];
                outputTokens: number;
                requests: number;
            } & {
                [key: string]: unknown;
            };
        };
        SessionRow: {
            agent?: string;
            branch?: string;
            /** @enum {string} */
            bucket: "This branch" | "This repository" | "This git root" | "This directory" | "Other sessions";
            bytes: number;
            checkpoints: number;
            clientName?: string;
            createdAt: string;
            cwd?: string;
            forkCount: number;
            forkedFrom?: string;
            gitRoot?: string;
            id: string;
            importedFrom?: string;
            modifiedAt: string;
            name?: string;
            remote?: {
                isStale: boolean;
                isSteerable: boolean;
                machine: string;
                person?: string;
                staleAt: string;
                state: string;
            };
            repository?: string;
            status: components["schemas"]["SessionStatus"];
            summary: string;
            turns?: number;
            userNamed: boolean;
        };
        SessionsAnswer: {
            more: boolean;
            sessions: components["schemas"]["SessionRow"][];
            total: number;
        };
        /** @enum {string} */
        SessionStatus: "idle" | "running" | "waiting";
        /** @description One thing that happened, as people read it; `kind` says what else is there. */
        ShownEntry: {
            at: string;
            eventId: string;
            kind: string;
        } & {
            [key: string]: unknown;
        };
        SqlAnswer: {
            columns: string[];
            elapsedMs: number;
            rows: components["schemas"]["SqlCell"][][];
            truncated: boolean;
        };
        SqlCell: null | number | string | {
            base64: string;
        };
        SqlSchemaAnswer: {
            tables: {
                name: string;
                sql: string;
            }[];
        };
        StreamFrame: {
            data: components["schemas"]["LogEvent"];
            /** @constant */
            event: "event";
            id?: string;
        } | {
            data: components["schemas"]["ToldNotice"];
            /** @constant */
            event: "notice";
        } | {
            data: {
                upToEventId?: string;
            };
            /** @constant */
            event: "reset";
        } | {
            data: {
                lastEventId?: string;
            };
            /** @constant */
            event: "ready";
        } | {
            data: Record<string, never>;
            /** @constant */
            event: "gone";
        };
        /** @description What is told and never stored: schema/notices.schema.json. */
        ToldNotice: {
            data: unknown;
            type: string;
        } & {
            [key: string]: unknown;
        };
        TranscriptAnswer: {
            after?: string;
            anchor?: string;
            before?: string;
            entries: components["schemas"]["ShownEntry"][];
            lastEventId?: string;
        };
        TrashAnswer: {
            sessions: {
                deletedAt: string;
                id: string;
                title: string;
            }[];
        };
        TurnsAnswer: {
            turns: ({
                at: string;
                bytesRemoved: number;
                eventId: string;
                events: number;
                eventsRemoved: number;
                index: number;
                preview: string;
            } & {
                [key: string]: unknown;
            })[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_activity: {
        parameters: {
            query?: {
                repo?: string;
                since?: string;
                zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ActivityAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_agents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description AgentsAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentsAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_board: {
        parameters: {
            query?: {
                branch?: string;
                repository?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description BoardAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_board_add: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    branch?: string;
                    content: string;
                    description?: string;
                    name: string;
                    repository: string;
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_board_decide: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    decision: "accept" | "dismiss";
                    ids: string[];
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_board_remove: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    branch?: string;
                    name: string;
                    repository?: string;
                    src?: string;
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_chronicle_kind: {
        parameters: {
            query?: {
                repo?: string;
                since?: string;
                zone?: string;
            };
            header?: never;
            path: {
                kind: "standup" | "tips" | "improve" | "cost";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ReportAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_inbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description InboxAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_inbox_left: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    restore: boolean;
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description LinkAnswer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description LoginAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_models: {
        parameters: {
            query?: {
                agent?: string;
                session?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ModelsAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_projects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ProjectsAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectsAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_search: {
        parameters: {
            query: {
                agent?: string;
                branch?: string;
                file?: string;
                limit?: number;
                q: string;
                ref?: string;
                repo?: string;
                role?: "user" | "assistant" | "tool" | "checkpoint" | "file" | "name";
                session?: string;
                since?: string;
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description SearchAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_server: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ServerAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions: {
        parameters: {
            query?: {
                branch?: string;
                bucket?: string;
                cwd?: string;
                limit?: number;
                offset?: number;
                q?: string;
                repository?: string;
                since?: string;
                sort?: "near" | "time";
                status?: "idle" | "running" | "waiting";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description SessionsAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent?: string;
                    cwd?: string;
                    /** @enum {string} */
                    mode?: "interactive" | "plan" | "autopilot";
                    model?: string;
                    name?: string;
                    reasoningEffort?: string;
                };
            };
        };
        responses: {
            /** @description CreatedAnswer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description SessionAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_sessions_id: {
        parameters: {
            query?: {
                now?: "true" | "false";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description DeletedAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    patch_sessions_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    mode?: "interactive" | "plan" | "autopilot";
                    model?: string;
                    name?: string;
                    reasoningEffort?: string;
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_answer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    decision: "allow" | "allow-for-session" | "deny";
                    feedback?: string;
                    option?: string;
                    requestId: string;
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_answer_question: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    answer?: string;
                    requestId: string;
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_blame: {
        parameters: {
            query: {
                line: number;
                path: string;
                text?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description BlameAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlameAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_blobs_sha256: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description CancelledAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelledAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_changes: {
        parameters: {
            query: {
                eventId?: string;
                scope: "turn" | "session" | "rewind" | "fork";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ChangesAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangesAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_changes_file: {
        parameters: {
            query: {
                eventId?: string;
                of?: "project" | "session";
                path: string;
                scope: "turn" | "session" | "rewind" | "fork";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ChangedFileAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedFileAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_checkpoints: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CheckpointsAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckpointsAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_checkpoints_number: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CheckpointAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckpointAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_command: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                };
            };
        };
        responses: {
            /** @description CommandAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_commands: {
        parameters: {
            query?: {
                agent?: "true" | "false";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CommandsAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandsAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_compact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    instructions?: string;
                    waitMs?: number;
                };
            };
        };
        responses: {
            /** @description CompactedAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactedAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_context: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ContextAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default false */
                    now?: boolean;
                };
            };
        };
        responses: {
            /** @description DeletedAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_events: {
        parameters: {
            query?: {
                cursor?: string;
                direction?: "forward" | "backward";
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description EventsAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_export: {
        parameters: {
            query?: {
                format?: "html" | "markdown" | "json";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_files: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description FilesAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_files: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: base64 */
                    base64: string;
                    path: string;
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_files_content: {
        parameters: {
            query: {
                path: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_find: {
        parameters: {
            query: {
                limit?: number;
                q: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description FindAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_fork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    before?: string;
                    name?: string;
                };
            };
        };
        responses: {
            /** @description ForkedAnswer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForkedAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_forks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ForksAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForksAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_guest_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default 24 */
                    hours?: number;
                };
            };
        };
        responses: {
            /** @description GuestLinkAnswer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuestLinkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_mode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    mode: "interactive" | "plan" | "autopilot";
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_model: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    model: string;
                    reasoningEffort?: string;
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_agentOptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_answer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    feedback?: string;
                    /** @enum {string} */
                    kind: "allow" | "allow-for-session" | "deny";
                    option?: string;
                    requestId: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_answerQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    answer?: string;
                    requestId: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_askAside: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    question: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    queue?: "hold" | "clear" | "go-on";
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_canvases_record: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    canvasId: string;
                    extensionId: string;
                    input?: unknown;
                    instanceId: string;
                    title?: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_canvases_remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    canvasId: string;
                    extensionId: string;
                    instanceId: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_changedFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    of: "project" | "session";
                    path: string;
                    scope: {
                        /** @enum {string} */
                        kind: "session" | "fork";
                    } | {
                        eventId: string;
                        /** @enum {string} */
                        kind: "turn" | "rewind";
                    };
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_changeQueue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    change: {
                        /** @constant */
                        kind: "edit";
                        messageId: string;
                        prompt: string;
                    } | {
                        /** @constant */
                        kind: "move";
                        messageId: string;
                        position: number;
                    } | {
                        /** @constant */
                        kind: "remove";
                        messageId: string;
                    } | {
                        /** @constant */
                        kind: "clear";
                    } | {
                        /** @constant */
                        kind: "send-now";
                        messageId: string;
                    } | {
                        /** @constant */
                        kind: "hold";
                    } | {
                        /** @constant */
                        kind: "release";
                    };
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_changes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    scope: {
                        /** @enum {string} */
                        kind: "session" | "fork";
                    } | {
                        eventId: string;
                        /** @enum {string} */
                        kind: "turn" | "rewind";
                    };
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_checkpoints: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_clearContext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    prompt: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_clientMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_compact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    instructions?: string;
                    waitMs?: number;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_contextAt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    call?: number;
                    isWhole?: boolean;
                    turn?: number;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_contextItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    item: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_contextParts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    most?: number;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_contextSize: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_continueWork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_createFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    path: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_deletePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_editContext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    item: string;
                    /** @enum {string} */
                    operation: "omit" | "restore";
                    waitMs?: number;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_events: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    cursor?: string;
                    /** @enum {string} */
                    direction?: "forward" | "backward";
                    /** @default 200 */
                    limit?: number;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_files: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_fork: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    before?: string;
                    rewound?: number;
                    title?: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_guidance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_metadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_moveTo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    cwd: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_nameByDefault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    level: "info" | "warning" | "error";
                    message: string;
                    type?: string;
                    url?: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_pending: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_permissions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_previewRewind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    eventId: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_queue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_readCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    number: number;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_readFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    path: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_readPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_recordHandoff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    context?: string;
                    host?: string;
                    remoteSessionId?: string;
                    /** @enum {string} */
                    sourceType: "remote" | "local";
                    summary?: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_redo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    waitMs?: number;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_removePath: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    path: string;
                    recursive: boolean;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_rename: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_renamePath: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    from: string;
                    to: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_restoreFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    eventId: string;
                    path: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_revoke: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    number: number | "all";
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_rewind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    eventId: string;
                    /** @enum {string} */
                    mode?: "conversation" | "conversation-and-files" | "files";
                    waitMs?: number;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_rewindPoints: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_rewoundBranches: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_schedules_add: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    displayPrompt?: string;
                    interval: string;
                    prompt: string;
                    recurring?: boolean;
                } | {
                    cron: string;
                    displayPrompt?: string;
                    prompt: string;
                    tz?: string;
                } | {
                    at: number;
                    displayPrompt?: string;
                    prompt: string;
                } | {
                    displayPrompt?: string;
                    prompt: string;
                    /** @constant */
                    selfPaced: true;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_schedules_list: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_schedules_rearm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    at: number;
                    number: number;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_schedules_stop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    number: number;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_selectAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agent?: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_send: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    message: {
                        actor?: {
                            machine: string;
                            name?: string;
                            surface: string;
                            who: string;
                        };
                        attachments?: ({
                            assetId?: string;
                            byteLength?: number;
                            displayName: string;
                            lineRange?: {
                                end: number;
                                start: number;
                            };
                            mimeType?: string;
                            /**
                             * @example too_large
                             * @example asset_unavailable
                             */
                            omittedReason?: string;
                            path: string;
                            taggedFilesEntry?: string;
                            /** @constant */
                            type: "file";
                        } | {
                            displayName: string;
                            path: string;
                            taggedFilesEntry?: string;
                            /** @constant */
                            type: "directory";
                        } | {
                            displayName: string;
                            filePath: string;
                            selection: {
                                end: {
                                    character: number;
                                    line: number;
                                };
                                start: {
                                    character: number;
                                    line: number;
                                };
                            };
                            text: string;
                            /** @constant */
                            type: "selection";
                        } | {
                            assetId?: string;
                            byteLength?: number;
                            data?: string;
                            displayName?: string;
                            mimeType: string;
                            /**
                             * @example too_large
                             * @example asset_unavailable
                             */
                            omittedReason?: string;
                            /** @constant */
                            type: "blob";
                        } | {
                            canvasId?: string;
                            capturedAt: string;
                            extensionId: string;
                            instanceId?: string;
                            payload?: unknown;
                            title: string;
                            /** @constant */
                            type: "extension_context";
                        } | {
                            number: number;
                            /**
                             * @example issue
                             * @example pr
                             * @example discussion
                             */
                            referenceType: string;
                            state: string;
                            title: string;
                            /** @constant */
                            type: "github_reference";
                            url: string;
                        } | {
                            message: string;
                            oid: string;
                            repo: {
                                id?: number;
                                name: string;
                                owner: string;
                            };
                            /** @constant */
                            type: "github_commit";
                            url: string;
                        } | {
                            name: string;
                            repo: {
                                id?: number;
                                name: string;
                                owner: string;
                            };
                            tagName: string;
                            /** @constant */
                            type: "github_release";
                            url: string;
                        } | {
                            conclusion?: string;
                            jobId: number;
                            jobName: string;
                            repo: {
                                id?: number;
                                name: string;
                                owner: string;
                            };
                            /** @constant */
                            type: "github_actions_job";
                            url: string;
                            workflowName: string;
                        } | {
                            description?: string;
                            ref?: string;
                            repo: {
                                id?: number;
                                name: string;
                                owner: string;
                            };
                            /** @constant */
                            type: "github_repository";
                            url: string;
                        } | {
                            base?: {
                                path: string;
                                ref: string;
                                repo: {
                                    id?: number;
                                    name: string;
                                    owner: string;
                                };
                            };
                            head?: {
                                path: string;
                                ref: string;
                                repo: {
                                    id?: number;
                                    name: string;
                                    owner: string;
                                };
                            };
                            /** @constant */
                            type: "github_file_diff";
                            url: string;
                        } | {
                            base: {
                                repo: {
                                    id?: number;
                                    name: string;
                                    owner: string;
                                };
                                revision: string;
                            };
                            head: {
                                repo: {
                                    id?: number;
                                    name: string;
                                    owner: string;
                                };
                                revision: string;
                            };
                            /** @constant */
                            type: "github_tree_comparison";
                            url: string;
                        } | {
                            /** @constant */
                            type: "github_url";
                            url: string;
                        } | {
                            path: string;
                            ref: string;
                            repo: {
                                id?: number;
                                name: string;
                                owner: string;
                            };
                            /** @constant */
                            type: "github_file";
                            url: string;
                        } | {
                            lineRange: {
                                end: number;
                                start: number;
                            };
                            path: string;
                            ref: string;
                            repo: {
                                id?: number;
                                name: string;
                                owner: string;
                            };
                            /** @constant */
                            type: "github_snippet";
                            url: string;
                        })[];
                        displayPrompt?: string;
                        messageId?: string;
                        /** @enum {string} */
                        mode?: "interactive" | "plan" | "autopilot";
                        prompt: string;
                        source?: string;
                    };
                    /** @enum {string} */
                    whenBusy?: "refuse" | "enqueue" | "steer";
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_setMode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    mode: "interactive" | "plan" | "autopilot";
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_setModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    model: string;
                    reasoningEffort?: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_setSteerable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    isSteerable: boolean;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_state: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_statPath: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    path: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_summariseForHandoff: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_switchGuidance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    isOn: boolean;
                    /** @enum {string} */
                    kind: "instructions" | "skills";
                    name: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_tasks_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_tasks_ended: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_tasks_list: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_tasks_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    message: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_tasks_progress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_tasks_promote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_tasks_start: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    agentType: string;
                    description?: string;
                    model?: string;
                    name?: string;
                    prompt: string;
                    reasoningEffort?: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_undo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    mode?: "conversation" | "conversation-and-files" | "files";
                    turns?: number;
                    waitMs?: number;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_updateClientMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    clear?: boolean;
                    remove?: string[];
                    set?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_usage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_workspaceFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_writeFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: base64 */
                    bytes: string;
                    path: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_operations_writePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                };
            };
        };
        responses: {
            /** @description OperationAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_pictures_sha256: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_plan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description PlanAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_plan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string | null;
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_sessions_id_plan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_queue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    action: "edit";
                    messageId: string;
                    prompt: string;
                } | {
                    /** @constant */
                    action: "move";
                    messageId: string;
                    place: number;
                } | {
                    /** @constant */
                    action: "remove";
                    messageId: string;
                } | {
                    /** @constant */
                    action: "clear";
                } | {
                    /** @constant */
                    action: "resume";
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delete_sessions_id_queue_messageId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_redo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    waitMs?: number;
                };
            };
        };
        responses: {
            /** @description RedoneAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedoneAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_rename: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description RenamedAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenamedAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_restore: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description RestoredAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoredAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_restore_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    eventId: string;
                    path: string;
                };
            };
        };
        responses: {
            /** @description RestoredFileAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoredFileAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_rewind: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    eventId: string;
                    /** @enum {string} */
                    mode?: "conversation" | "conversation-and-files" | "files";
                    waitMs?: number;
                };
            };
        };
        responses: {
            /** @description RewoundAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewoundAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_rewind_preview: {
        parameters: {
            query: {
                eventId: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description RewindPreviewAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewindPreviewAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_send: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default [] */
                    attachments?: {
                        /** Format: base64 */
                        base64: string;
                        name: string;
                    }[];
                    prompt: string;
                    /** @default false */
                    wait?: boolean;
                    /**
                     * @default queue
                     * @enum {string}
                     */
                    whenBusy?: "queue" | "steer" | "refuse";
                };
            };
        };
        responses: {
            /** @description SentAnswer */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_stream: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description StreamFrame */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_transcript: {
        parameters: {
            query?: {
                after?: string;
                around?: string;
                before?: string;
                limit?: number;
                text?: string;
                turn?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description TranscriptAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TranscriptAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sessions_id_turns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description TurnsAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TurnsAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sessions_id_undo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    mode?: "conversation" | "conversation-and-files" | "files";
                    turns?: number;
                    waitMs?: number;
                };
            };
        };
        responses: {
            /** @description RewoundAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewoundAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_sql: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    repository?: string;
                    sql: string;
                };
            };
        };
        responses: {
            /** @description SqlAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SqlAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_sql_schema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description SqlSchemaAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SqlSchemaAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_stream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ActivityFrame */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_stream_follow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    after?: string;
                    key: string;
                    sessionId: string;
                    streamId: string;
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    post_stream_unfollow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    key: string;
                    streamId: string;
                };
            };
        };
        responses: {
            /** @description OkAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_trash: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description TrashAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrashAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    get_usage: {
        parameters: {
            query?: {
                repo?: string;
                since?: string;
                zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ReportAnswer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportAnswer"];
                };
            };
            /** @description Failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
