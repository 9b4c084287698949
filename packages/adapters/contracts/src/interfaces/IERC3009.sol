// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice EIP-3009, transfers of an ERC-20 token that its holder signs and anybody may send.
/// @dev With the overloads for signatures of contracts (ERC-1271) that USDC 2.2 has.
interface IERC3009 {
    /// @notice An authorization was used.
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    /// @notice An authorization was cancelled.
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    /// @notice Returns whether the nonce of a holder was used or cancelled.
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);

    /// @notice Transfers as the holder signed. Anybody may call it.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    /// @notice Transfers as the holder signed. Anybody may call it.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;

    /// @notice Transfers as the holder signed. Only `to` may call it.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    /// @notice Transfers as the holder signed. Only `to` may call it.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}
