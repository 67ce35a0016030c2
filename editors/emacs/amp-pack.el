;;; amp-pack.el --- Agent Memory Protocol packs  -*- lexical-binding: t; -*-

;; Author: The AMP toolchain authors
;; URL: https://github.com/amp-toolchain/amp
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages, tools
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Findings, fixes, completion and signature state for AMP packs, from
;; the language server amp-lsp, with Eglot or lsp-mode.
;;
;;   (require 'amp-pack)
;;   (amp-pack-setup)
;;
;; A file gets one of the modes of this package only if it is part of a
;; pack.  With Eglot the server starts by itself unless `amp-pack-client'
;; says otherwise.

;;; Code:

(require 'cl-lib)
(require 'project)
(require 'seq)
(require 'subr-x)
(require 'url-util)

(declare-function eglot-current-server "eglot")
(declare-function eglot-ensure "eglot")
(declare-function eglot-code-actions "eglot")
(declare-function eglot--path-to-uri "eglot")
(declare-function eglot-path-to-uri "eglot")
(declare-function eglot-handle-notification "eglot")
(declare-function flymake-diagnostic-text "flymake")
(declare-function flymake-diagnostics "flymake")
(declare-function jsonrpc-request "jsonrpc")
(declare-function lsp "lsp-mode")
(declare-function lsp-register-client "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(declare-function lsp-request "lsp-mode")
(declare-function lsp-workspaces "lsp-mode")
(declare-function lsp--buffer-uri "lsp-mode")
(declare-function lsp-code-actions-at-point "lsp-mode")
(declare-function lsp-execute-code-action "lsp-mode")
(declare-function lsp-execute-code-action-by-kind "lsp-mode")
(defvar eglot-server-programs)
(defvar lsp-language-id-configuration)

(defgroup amp-pack nil
  "Agent Memory Protocol packs."
  :group 'tools
  :prefix "amp-pack-")

(defcustom amp-pack-server-command '("amp-lsp")
  "The language server and its arguments."
  :type '(repeat string))

(defcustom amp-pack-linter-command "amp-lint"
  "The linter, which holds the pages of the rules."
  :type 'string)

(defcustom amp-pack-client 'eglot
  "What talks to the server: Eglot, lsp-mode, or nothing."
  :type '(choice (const :tag "Eglot" eglot)
                 (const :tag "lsp-mode" lsp)
                 (const :tag "None: started by hand" nil)))

(defcustom amp-pack-fix-on-save nil
  "Whether to apply the safe fixes of a file when it is saved."
  :type 'boolean)

;;;; Packs

(defun amp-pack--pack-p (dir)
  "Whether DIR is a pack.
Two of manifest.json, agents.md and memory/ make one, or a manifest
with a member that only packs have."
  (let* ((manifest (expand-file-name "manifest.json" dir))
         (has-manifest (file-regular-p manifest))
         (parts (+ (if has-manifest 1 0)
                   (if (file-regular-p (expand-file-name "agents.md" dir)) 1 0)
                   (if (file-directory-p (expand-file-name "memory" dir)) 1 0))))
    (or (>= parts 2)
        (and has-manifest
             (with-temp-buffer
               (insert-file-contents manifest)
               (let ((value (ignore-errors
                              (json-parse-buffer :object-type 'alist))))
                 (and (listp value)
                      (seq-some (lambda (member) (assq member value))
                                '(layout capability_files primitive_format)))))
             t))))

(defun amp-pack-of (file)
  "The folder of the pack that FILE is part of, or nil."
  (when file
    (let* ((dir (file-name-directory (expand-file-name file)))
           (name (file-name-nondirectory file))
           (pack (cond
                  ((member name '("manifest.json" "agents.md")) dir)
                  ((and (string-suffix-p ".md" name)
                        (string-suffix-p "/memory/" dir))
                   (file-name-directory (directory-file-name dir))))))
      (and pack (amp-pack--pack-p pack) pack))))

(defun amp-pack--markdown-p ()
  "Whether the buffer's file is a Markdown file of a pack."
  (and buffer-file-name
       (string-suffix-p ".md" buffer-file-name)
       (amp-pack-of buffer-file-name)))

(defun amp-pack--manifest-p ()
  "Whether the buffer's file is the manifest of a pack."
  (and buffer-file-name
       (equal (file-name-nondirectory buffer-file-name) "manifest.json")
       (amp-pack-of buffer-file-name)))

;; Without a repository around it a pack is its own project; Eglot would
;; otherwise start one server for each folder of it.
(defun amp-pack--project (dir)
  "The pack around DIR as a project, for `project-find-functions'."
  (when-let* ((pack (locate-dominating-file dir #'amp-pack--pack-p)))
    (cons 'amp-pack pack)))

(cl-defmethod project-root ((project (head amp-pack)))
  "The folder of the pack PROJECT."
  (cdr project))

;;;; Modes

(defconst amp-pack--tag
  (rx bol "[" (group (or "goal" "claim" "directive" "demonstration" "demo"))
      (group (? space (* (not (any "]\n"))))) "]")
  "A tag line.  Group 1 is the type, group 2 the facets.")

(defvar amp-pack-font-lock-keywords
  `((,amp-pack--tag
     (1 'font-lock-type-face t)
     (,(rx symbol-start (or "must" "should" "may") symbol-end)
      (amp-pack--to-facets) (goto-char (match-end 0))
      (0 'font-lock-keyword-face t))
     (,(rx symbol-start (or "session" "project" "user" "org") symbol-end)
      (amp-pack--to-facets) (goto-char (match-end 0))
      (0 'font-lock-constant-face t))
     (,(rx symbol-start
           (or "permanent" "seasonal" "tactical" "positive" "negative" "mixed")
           symbol-end)
      (amp-pack--to-facets) (goto-char (match-end 0))
      (0 'font-lock-builtin-face t))
     (,(rx (group "illustrates") ":" (* space) (group (* (not (any ",]\n")))))
      (amp-pack--to-facets) (goto-char (match-end 0))
      (1 'font-lock-variable-name-face t) (2 'font-lock-string-face t)))
    (,(rx bol (= 2 (any " \t")) ">" (group (* nonl)))
     (1 'font-lock-comment-face t))
    (,(rx bol "sources" (group ":") (* space) eol) (0 'font-lock-keyword-face t)))
  "Colours of tags, facets, reasons and the legend.")

(defun amp-pack--to-facets ()
  "Go to the facets of the tag just matched; the end of the tag is the limit."
  (let ((end (match-end 2)))
    (goto-char (match-beginning 2))
    end))

(defalias 'amp-pack--parent-mode
  (if (or (fboundp 'markdown-mode) (locate-library "markdown-mode"))
      'markdown-mode
    'text-mode)
  "The mode that `amp-pack-mode' is derived from.")

(defvar amp-pack-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-v f") #'amp-pack-fix)
    (define-key map (kbd "C-c C-v a") #'amp-pack-fix-all)
    (define-key map (kbd "C-c C-v e") #'amp-pack-explain)
    (define-key map (kbd "C-c C-v c") #'amp-pack-update-counts)
    (define-key map (kbd "C-c C-v v") #'amp-pack-verify)
    (define-key map (kbd "C-c C-v s") #'amp-pack-sign)
    map)
  "Keys of the modes of AMP packs.")

(define-derived-mode amp-pack-mode amp-pack--parent-mode "AMP"
  "Mode for the Markdown files of an AMP pack.
\\{amp-pack-mode-map}"
  (font-lock-add-keywords nil amp-pack-font-lock-keywords 'append)
  (amp-pack--start))

(define-derived-mode amp-pack-manifest-mode js-mode "AMP manifest"
  "Mode for the manifest of an AMP pack."
  (setq-local js-indent-level 2)
  (set-keymap-parent amp-pack-manifest-mode-map amp-pack-mode-map)
  (amp-pack--start))

;; The names under which the server knows the files.
(put 'amp-pack-mode 'eglot-language-id "markdown")
(put 'amp-pack-manifest-mode 'eglot-language-id "json")

(defvar amp-pack--statuses (make-hash-table :test #'equal)
  "The last amp/packStatus by the pack's folder.")

(defun amp-pack-mode-line ()
  "PASS or FAIL and the signature state of the pack, for the mode line."
  (let ((status (gethash (file-truename (or (amp-pack-of buffer-file-name) "/"))
                         amp-pack--statuses)))
    (if (not status) ""
      (let ((fail (plist-get status :fail))
            (signature (plist-get status :signature)))
        (concat (if (> fail 0) (format " FAIL %d" fail)
                  (format " PASS %d" (plist-get status :pass)))
                (if (equal signature "unsigned") "" (concat " " signature)))))))

(defun amp-pack--start ()
  "Start the client in the current buffer and hook up fixing on save."
  (setq-local mode-line-process '(:eval (amp-pack-mode-line)))
  (add-hook 'before-save-hook #'amp-pack--before-save nil t)
  (cond
   ((not amp-pack-client))
   ((not (executable-find (car amp-pack-server-command)))
    (message "amp-pack: %s is not on `exec-path'; see `amp-pack-server-command'"
             (car amp-pack-server-command)))
   ((eq amp-pack-client 'eglot)
    (require 'eglot)
    (eglot-ensure))
   ((eq amp-pack-client 'lsp)
    (require 'lsp-mode)
    (lsp))))

;;;; Clients

(defun amp-pack--contact (&optional _interactive _project)
  "The server's command and options, for Eglot."
  (append amp-pack-server-command
          '(:initializationOptions (:packStatus t :signing t))))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '((amp-pack-mode amp-pack-manifest-mode) . amp-pack--contact))
  (cl-defmethod eglot-handle-notification
    (_server (_method (eql 'amp/packStatus)) &rest status &key uri
             &allow-other-keys)
    "Keep the STATUS of the pack at URI."
    (amp-pack--note uri status)))

(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(amp-pack-mode . "markdown"))
  (add-to-list 'lsp-language-id-configuration
               '(amp-pack-manifest-mode . "json"))
  (lsp-register-client
   (make-lsp-client
    :new-connection (lsp-stdio-connection (lambda () amp-pack-server-command))
    :major-modes '(amp-pack-mode amp-pack-manifest-mode)
    :priority 1
    :initialization-options '(:packStatus t :signing t)
    :notification-handlers
    (let ((table (make-hash-table :test #'equal)))
      (puthash "amp/packStatus"
               (lambda (_workspace status)
                 (amp-pack--note-lsp status))
               table)
      table)
    :server-id 'amp-lsp)))

(defun amp-pack--note (uri status)
  "Keep STATUS, a property list, for the pack at URI."
  (let ((dir (url-unhex-string (string-remove-prefix "file://" uri))))
    (puthash (file-truename (file-name-as-directory
                             (decode-coding-string dir 'utf-8)))
             status amp-pack--statuses)
    (force-mode-line-update t)))

(defun amp-pack--note-lsp (status)
  "Keep STATUS as lsp-mode gives it, a hash table or a property list."
  (let ((value (lambda (key)
                 (if (hash-table-p status) (gethash key status)
                   (plist-get status (intern (concat ":" key)))))))
    (amp-pack--note (funcall value "uri")
                    (list :pass (funcall value "pass")
                          :fail (funcall value "fail")
                          :signature (funcall value "signature")))))

(defun amp-pack--eglot-server ()
  "The Eglot server of this buffer, or nil."
  (and (fboundp 'eglot-current-server) (eglot-current-server)))

(defun amp-pack--lsp-p ()
  "Whether lsp-mode manages this buffer."
  (and (bound-and-true-p lsp-mode) (fboundp 'lsp-workspaces) (lsp-workspaces)))

(defun amp-pack--uri ()
  "The address of the buffer's file as the server knows it."
  (cond ((amp-pack--lsp-p) (lsp--buffer-uri))
        ((fboundp 'eglot-path-to-uri) (eglot-path-to-uri buffer-file-name))
        (t (eglot--path-to-uri buffer-file-name))))

(defun amp-pack--execute (command &rest properties)
  "Have the server execute COMMAND for this file, with PROPERTIES."
  (let ((params (list :command command
                      :arguments (vector `(:uri ,(amp-pack--uri)
                                                ,@properties)))))
    (cond ((amp-pack--lsp-p) (lsp-request "workspace/executeCommand" params))
          ((amp-pack--eglot-server)
           (jsonrpc-request (amp-pack--eglot-server)
                            :workspace/executeCommand params))
          (t (user-error "No amp-lsp in this buffer")))))

(defun amp-pack--member (result name)
  "The member NAME of RESULT, of either client."
  (if (hash-table-p result) (gethash name result)
    (plist-get result (intern (concat ":" name)))))

;;;; Commands

(defun amp-pack--fix-lsp ()
  "Fix the finding at point with lsp-mode.
Its own menu takes an empty answer for no action at all."
  (let* ((actions (append (lsp-code-actions-at-point "quickfix") nil))
         (titles (mapcar (lambda (action) (amp-pack--member action "title"))
                         actions))
         (title (if (cdr titles)
                    (completing-read (format "Fix (default %s): " (car titles))
                                     titles nil t nil nil (car titles))
                  (car titles))))
    (unless actions (user-error "No fix here"))
    (lsp-execute-code-action (nth (seq-position titles title) actions))))

(defun amp-pack-fix ()
  "Fix the finding at point; asks when there is more than one way."
  (interactive)
  (cond ((amp-pack--lsp-p) (amp-pack--fix-lsp))
        ((amp-pack--eglot-server)
         (eglot-code-actions (point) (point) "quickfix" t))
        (t (user-error "No amp-lsp in this buffer"))))

(defun amp-pack-fix-all ()
  "Apply every safe fix of this file."
  (interactive)
  (cond ((amp-pack--lsp-p)
         ;; Nothing to fix is an error to lsp-mode, too.
         (condition-case nil
             (lsp-execute-code-action-by-kind "source.fixAll.amp")
           (lsp-no-code-actions nil)))
        ((amp-pack--eglot-server)
         ;; Nothing to fix is an error to Eglot and none to the user.
         (when (eglot-code-actions (point-min) (point-max) "source.fixAll.amp")
           (eglot-code-actions (point-min) (point-max) "source.fixAll.amp" t)))
        (t (user-error "No amp-lsp in this buffer"))))

(defun amp-pack--before-save ()
  "Fix before saving if the user wants it; a failure never stops the save."
  (when (and amp-pack-fix-on-save
             (or (amp-pack--lsp-p) (amp-pack--eglot-server)))
    (with-demoted-errors "amp-pack: %S" (amp-pack-fix-all))))

(defun amp-pack-update-counts ()
  "Make `primitive_counts' true in the frontmatter and the manifest."
  (interactive)
  (amp-pack--execute "amp.updateCounts"))

(defun amp-pack-verify ()
  "Check the signature of the pack of this file."
  (interactive)
  (message "%s" (amp-pack--member (amp-pack--execute "amp.verify") "message")))

(defun amp-pack--modified-in (pack)
  "The buffers of files of PACK that have unsaved changes."
  (seq-filter (lambda (buffer)
                (and (buffer-modified-p buffer) (buffer-file-name buffer)
                     (string-prefix-p (file-truename pack)
                                      (file-truename
                                       (buffer-file-name buffer)))))
              (buffer-list)))

(defun amp-pack-sign ()
  "Sign the pack of this file, after a question."
  (interactive)
  (let ((pack (amp-pack-of buffer-file-name)))
    (unless pack (user-error "This file is in no pack"))
    (when-let* ((buffer (car (amp-pack--modified-in pack))))
      (user-error "%s has unsaved changes: a signature covers the bytes on disk"
                  (buffer-name buffer)))
    (when (yes-or-no-p (format "Sign the pack %s with your private key? "
                               (file-name-nondirectory
                                (directory-file-name pack))))
      (let ((result (condition-case err
                        (amp-pack--execute "amp.sign" :confirmed t)
                      ;; Eglot (up to 30.1 at least) cannot create signing.pub.
                      (jsonrpc-error
                       (user-error "Not signed: %s.  In a shell: amp sign %s"
                                   (alist-get 'jsonrpc-error-message (cddr err))
                                   (shell-quote-argument pack))))))
        ;; manifest.json and a new signing.pub are changed in buffers; what
        ;; is not on disk vouches for nothing.
        (dolist (buffer (amp-pack--modified-in pack))
          (with-current-buffer buffer (save-buffer)))
        (message "%s" (amp-pack--member result "message"))))))

(defun amp-pack--rule-at-point ()
  "The rule of a finding at point, or nil."
  (when (bound-and-true-p flymake-mode)
    (seq-some
     (lambda (diagnostic)
       (let ((text (flymake-diagnostic-text diagnostic)))
         (and (string-match (rx "[" (group (+ (any "a-z0-9-"))) "]") text)
              (match-string 1 text))))
     (flymake-diagnostics (line-beginning-position) (line-end-position)))))

(defun amp-pack-explain (rule)
  "Show the page of RULE, by default the one found in this line."
  (interactive
   (list (let ((here (amp-pack--rule-at-point)))
           (read-string (if here (format "Rule (%s): " here) "Rule: ")
                        nil nil here))))
  (unless (string-match-p (rx bos (+ (any "a-z0-9-")) eos) rule)
    (user-error "%s is not the name of a rule" rule))
  (with-current-buffer (get-buffer-create (format "*amp-rule %s*" rule))
    (let ((inhibit-read-only t))
      (erase-buffer)
      (unless (zerop (call-process amp-pack-linter-command nil t nil
                                   "explain" rule))
        (user-error "%s" (string-trim (buffer-string))))
      (goto-char (point-min))
      (special-mode)
      (display-buffer (current-buffer)))))

;;;###autoload
(defun amp-pack-setup ()
  "Use this package for the files of packs."
  (add-to-list 'magic-mode-alist '(amp-pack--markdown-p . amp-pack-mode))
  (add-to-list 'magic-mode-alist
               '(amp-pack--manifest-p . amp-pack-manifest-mode))
  (add-hook 'project-find-functions #'amp-pack--project 90))

(provide 'amp-pack)
;;; amp-pack.el ends here
